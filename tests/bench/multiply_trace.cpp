// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
//
// bench_multiply OUT EVENTS FILE...: a large trace.dat (version 6) from small ones of one machine
// and boot. Their pages are copied again and again, one file after the other, with later times and
// other thread ids, until there are EVENTS events: real records in the kernel's own layouts, not
// ours.
#include "trace/decode/event_format.h"
#include "trace/file/dat_rewriter.h"
#include "trace/file/page_reader.h"
#include "trace/file/spool.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <vector>

using namespace inversight;

namespace {

constexpr std::array<std::string_view, 6> kTidFields{"common_pid", "prev_pid",   "next_pid",
                                                     "pid",        "parent_pid", "child_pid"};
constexpr std::int32_t kTidStep = 100'000;
constexpr std::int32_t kTidVariants = 8;

/// Where the thread ids of each event type are.
std::map<std::uint16_t, std::vector<std::uint32_t>> tidOffsets(const DatFile& file) {
    std::map<std::uint16_t, std::vector<std::uint32_t>> offsets;
    for (const FormatText& text : file.formats) {
        const auto format = parseEventFormat(text.text);
        if (!format)
            continue;
        for (const EventField& field : format->fields) {
            if (field.size == 4 && std::ranges::count(kTidFields, field.name) > 0)
                offsets[format->id].push_back(field.offset);
        }
    }
    return offsets;
}

struct Input {
    DatFile file;
    std::map<std::uint16_t, std::vector<std::uint32_t>> tids;
    std::uint64_t first = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t last = 0;
    std::uint64_t events = 0;
};

std::span<const std::byte> pageAt(const DatFile& file, std::uint64_t offset) {
    return file.records->bytes().subspan(offset, file.layout.pageSize);
}

template <class Visitor>
Result<void> forEachRecord(std::span<const std::byte> page, const PageLayout& layout,
                           Visitor&& visitor) {
    PageReader reader = TRY(PageReader::open(page, layout));
    RingRecord record;
    while (reader.next(record) == PageReader::Step::Record)
        visitor(record);
    return {};
}

Result<Input> open(const std::string& path) {
    Input input{TRY(readDat(TRY(RecordStore::open(path)))), {}, ~std::uint64_t{0}, 0, 0};
    input.tids = tidOffsets(input.file);
    for (const CpuPages& pages : input.file.buffers.front().cpus) {
        for (std::uint64_t done = 0; done < pages.size; done += input.file.layout.pageSize)
            TRY(forEachRecord(pageAt(input.file, pages.offset + done), input.file.layout,
                              [&](const RingRecord& record) {
                                  input.first = std::min(input.first, record.time);
                                  input.last = std::max(input.last, record.time);
                                  ++input.events;
                              }));
    }
    return input;
}

std::uint32_t wordAt(const std::byte* bytes) {
    std::uint32_t word = 0;
    std::memcpy(&word, bytes, sizeof word);
    return word;
}

/// Moves the absolute times among a page's records, which PageReader does not show.
void shiftAbsoluteTimes(std::span<std::byte> page, const PageLayout& layout, std::uint64_t shift) {
    constexpr std::uint32_t kLongData = 0;
    constexpr std::uint32_t kPadding = 29;
    constexpr std::uint32_t kTimeExtend = 30;
    constexpr std::uint32_t kTimeStamp = 31;
    const std::size_t end =
        layout.dataOffset + (wordAt(page.data() + layout.commitOffset) & 0x7ffffff);
    for (std::size_t place = layout.dataOffset; place + 8 <= end;) {
        const std::uint32_t head = wordAt(page.data() + place);
        const std::uint32_t kind = head & 0x1f;
        const std::uint32_t second = wordAt(page.data() + place + 4);
        if (kind == kPadding && head >> 5 == 0)
            return;
        if (kind == kTimeStamp) {
            const std::uint64_t time = (std::uint64_t{second} << 27 | head >> 5) + shift;
            const std::uint32_t low = kTimeStamp | static_cast<std::uint32_t>(time << 5);
            const auto high = static_cast<std::uint32_t>(time >> 27);
            std::memcpy(page.data() + place, &low, sizeof low);
            std::memcpy(page.data() + place + 4, &high, sizeof high);
        }
        if (kind == kTimeStamp || kind == kTimeExtend)
            place += 8;
        else if (kind == kLongData || kind == kPadding)
            place += 4 + (second + 3) / 4 * 4;
        else
            place += 4 + kind * 4;
    }
}

/// Copies one page, later by `shift` and with thread ids raised by `raise`.
Result<void> copyPage(const Input& input, std::uint64_t offset, std::uint64_t shift,
                      std::int32_t raise, std::vector<std::byte>& out) {
    const std::size_t begin = out.size();
    const auto page = pageAt(input.file, offset);
    out.insert(out.end(), page.begin(), page.end());
    std::uint64_t time = loadInteger<std::uint64_t>(page.data(), ByteOrder::Little) + shift;
    std::memcpy(out.data() + begin, &time, sizeof time);
    shiftAbsoluteTimes(std::span(out).subspan(begin), input.file.layout, shift);
    return forEachRecord(page, input.file.layout, [&](const RingRecord& record) {
        std::uint16_t id = 0;
        std::memcpy(&id, record.data.data(), sizeof id);
        const auto fields = input.tids.find(id);
        if (fields == input.tids.end())
            return;
        std::byte* bytes = out.data() + begin + (record.data.data() - page.data());
        for (const std::uint32_t field : fields->second) {
            std::int32_t tid = 0;
            if (field + sizeof tid > record.data.size())
                continue;
            std::memcpy(&tid, bytes + field, sizeof tid);
            tid += tid > 0 ? raise : 0;
            std::memcpy(bytes + field, &tid, sizeof tid);
        }
    });
}

Result<void> copyInto(Spool& spool, const Input& input, std::uint64_t shift, std::int32_t raise) {
    std::vector<std::byte> out;
    for (const CpuPages& pages : input.file.buffers.front().cpus) {
        out.clear();
        for (std::uint64_t done = 0; done < pages.size; done += input.file.layout.pageSize)
            TRY(copyPage(input, pages.offset + done, shift, raise, out));
        TRY(spool.appendPages(pages.cpu, out));
    }
    return {};
}

Result<std::uint64_t> multiply(const std::string& path, std::uint64_t wanted,
                               const std::vector<std::string>& files) {
    std::vector<Input> inputs;
    for (const std::string& file : files)
        inputs.push_back(TRY(open(file)));
    const TraceMetadata metadata = metadataOf(inputs.front().file);
    Spool spool = TRY(Spool::create(path, metadata));
    std::uint64_t events = 0;
    std::uint64_t now = inputs.front().first;
    for (std::int32_t copy = 0; events < wanted; ++copy) {
        for (const Input& input : inputs) {
            // Pages begin before their first record: leave room.
            TRY(copyInto(spool, input, now - input.first, copy % kTidVariants * kTidStep));
            now += input.last - input.first + 10'000'000;
            events += input.events;
        }
    }
    TRY(spool.finish(metadata));
    return events;
}

} // namespace

int main(int argc, char** argv) {
    std::uint64_t wanted = 0;
    if (argc >= 4)
        std::from_chars(argv[2], argv[2] + std::strlen(argv[2]), wanted);
    if (wanted == 0) {
        fmt::print(stderr, "usage: bench_multiply OUT EVENTS FILE...\n");
        return 2;
    }
    const auto events = multiply(argv[1], wanted, {argv + 3, argv + argc});
    if (!events) {
        fmt::print(stderr, "{}\n", events.error().sentence());
        return 1;
    }
    fmt::print("{} events\n", *events);
    return 0;
}
