// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "noted_trace.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace inversight::test {

namespace {

StreamId id(std::size_t stream) {
    return StreamId{static_cast<std::uint16_t>(stream)};
}

} // namespace

NotedTrace::NotedTrace(const std::string& path) {
    load(path);
}

void NotedTrace::load(const std::string& path) {
    auto records = RecordStore::open(path);
    ASSERT_TRUE(records) << records.error().sentence();
    auto read = readDat(*records);
    ASSERT_TRUE(read) << read.error().sentence();
    file = *std::move(read);
    const auto source = PageSource::create(file);
    ASSERT_TRUE(source) << source.error().sentence();
    for (const StreamId stream : (*source)->streams()) {
        auto report = (*source)->load(stream, sink, {});
        ASSERT_TRUE(report) << report.error().sentence();
        reports.push_back(*std::move(report));
    }
    for (const FormatText& text : file.formats) {
        if (auto format = parseEventFormat(text.text))
            formats_.try_emplace(std::string(format->name), *std::move(format));
    }
}

const std::vector<CollectedEvent>& NotedTrace::onCpu(int cpu, std::size_t stream) const {
    return sink.events(id(stream), cpu);
}

std::vector<int> NotedTrace::cpus(std::size_t stream) const {
    std::vector<int> found;
    for (const CpuPages& pages : file.buffers.at(stream).cpus)
        found.push_back(pages.cpu);
    return found;
}

/// In the order of their times.
std::vector<const CollectedEvent*> NotedTrace::events(const std::string& name,
                                                      std::size_t stream) const {
    std::vector<const CollectedEvent*> found;
    for (const int cpu : cpus(stream)) {
        for (const CollectedEvent& event : onCpu(cpu, stream)) {
            if (sink.type(event).name == name)
                found.push_back(&event);
        }
    }
    std::ranges::stable_sort(found, {}, [](const auto* event) { return event->header.time; });
    return found;
}

std::map<int, std::vector<std::int64_t>> NotedTrace::losses() const {
    std::map<int, std::vector<std::int64_t>> found;
    for (const int cpu : cpus()) {
        for (const CollectedEvent& event : onCpu(cpu)) {
            if (event.lostBefore)
                found[cpu].push_back(*event.lostBefore);
        }
    }
    return found;
}

std::map<std::string, int> NotedTrace::setprios() const {
    std::map<std::string, int> found;
    for (const CollectedEvent* event : events("sched_pi_setprio"))
        ++found[fmt::format("{} {}->{}", event->fields["comm"].get<std::string>(),
                            event->fields["oldprio"].get<int>(),
                            event->fields["newprio"].get<int>())];
    return found;
}

std::set<std::string> NotedTrace::comms() const {
    std::set<std::string> found;
    for (const int cpu : cpus()) {
        for (const CollectedEvent& event : onCpu(cpu)) {
            for (const auto& [name, value] : event.fields.items()) {
                if (name.ends_with("comm"))
                    found.insert(value.get<std::string>());
            }
        }
    }
    return found;
}

const EventFormat& NotedTrace::format(const std::string& name) const {
    return formats_.at(name);
}

} // namespace inversight::test
