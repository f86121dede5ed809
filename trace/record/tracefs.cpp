// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/record/tracefs.h"

#include "trace/record/instance_name.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <string_view>
#include <unistd.h>

// libtracefs 1.6's header passes 0 where it wants an enumerator, which C allows and C++ does not.
// This overload takes the 0; nobody calls it.
struct tracefs_hist;
int tracefs_hist_command(tracefs_instance* instance, tracefs_hist* histogram, int command);
extern "C" {
#include <tracefs.h>
}

namespace inversight {

namespace {

constexpr const char* kMountCommand = "sudo mount -t tracefs tracefs /sys/kernel/tracing";

/// libtracefs reports a failure as -1 or null, and mostly leaves errno.
Error libraryError(std::string what, std::string where) {
    if (errno != 0)
        return Error::fromErrno(errno, std::move(what), std::move(where));
    return {ErrorCode::Io, std::move(what), std::move(where)};
}

/// The library's lists are null-terminated arrays of strings.
std::vector<std::string> takeList(char** list) {
    std::vector<std::string> names;
    for (char** entry = list; entry != nullptr && *entry != nullptr; ++entry)
        names.emplace_back(*entry);
    tracefs_list_free(list);
    std::sort(names.begin(), names.end());
    return names;
}

std::optional<int> parseCpuDirectory(std::string_view name) {
    int cpu = 0;
    if (!name.starts_with("cpu"))
        return std::nullopt;
    name.remove_prefix(3);
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), cpu);
    if (error != std::errc{} || end != name.data() + name.size())
        return std::nullopt;
    return cpu;
}

} // namespace

void TraceInstance::Free::operator()(tracefs_instance* instance) const {
    tracefs_instance_free(instance);
}

Result<TraceInstance> TraceInstance::create(const std::string& name) {
    errno = 0;
    tracefs_instance* instance = tracefs_instance_create(name.c_str());
    if (instance == nullptr)
        return std::unexpected(libraryError("cannot create the tracing instance", name));
    if (!tracefs_instance_is_new(instance)) {
        tracefs_instance_free(instance);
        return std::unexpected(Error{ErrorCode::Busy, "this process is already recording", name});
    }
    return TraceInstance(instance);
}

TraceInstance::~TraceInstance() {
    if (instance_)
        tracefs_instance_destroy(instance_.get());
}

std::string TraceInstance::name() const {
    return tracefs_instance_get_name(instance_.get());
}

std::string TraceInstance::path(const std::string& file) const {
    char* path = tracefs_instance_get_file(instance_.get(), file.c_str());
    std::string text = path != nullptr ? path : file;
    tracefs_put_tracing_file(path);
    return text;
}

Result<std::string> TraceInstance::read(const std::string& file) const {
    // libtracefs' own reader cannot tell an empty file from one that it may not read.
    return readFile(path(file));
}

Result<void> TraceInstance::write(const std::string& file, const std::string& text) {
    errno = 0;
    if (tracefs_instance_file_write(instance_.get(), file.c_str(), text.c_str()) < 0)
        return std::unexpected(
            libraryError("the kernel refused \"" + text + "\" in a control file", path(file)));
    return {};
}

bool TraceInstance::has(const std::string& file) const {
    return tracefs_file_exists(instance_.get(), file.c_str());
}

Result<UniqueFd> TraceInstance::open(const std::string& file, int flags) const {
    errno = 0;
    UniqueFd fd(tracefs_instance_file_open(instance_.get(), file.c_str(), flags | O_CLOEXEC));
    if (!fd)
        return std::unexpected(libraryError("cannot open the tracing file", path(file)));
    return fd;
}

Result<std::vector<int>> TraceInstance::cpus() const {
    const std::string directory = path("per_cpu");
    std::error_code error;
    std::vector<int> cpus;
    for (std::filesystem::directory_iterator entry(directory, error), end; !error && entry != end;
         entry.increment(error))
        if (const auto cpu = parseCpuDirectory(entry->path().filename().string()))
            cpus.push_back(*cpu);
    if (error || cpus.empty())
        return std::unexpected(
            Error{ErrorCode::Io, "cannot list the CPUs of the tracing instance", directory});
    std::sort(cpus.begin(), cpus.end());
    return cpus;
}

Result<void> TraceInstance::setBufferSize(std::uint32_t kibPerCpu) {
    errno = 0;
    if (tracefs_instance_set_buffer_size(instance_.get(), kibPerCpu, -1) == 0)
        return {};
    Error error =
        libraryError("cannot set the ring buffer to " + std::to_string(kibPerCpu) + " KiB per CPU",
                     path("buffer_size_kb"));
    error.remedy = "choose a smaller buffer";
    return std::unexpected(std::move(error));
}

Result<void> TraceInstance::enableEvent(const std::string& system, const std::string& event) {
    errno = 0;
    if (tracefs_event_file_write(instance_.get(), system.c_str(), event.c_str(), "enable", "1") < 0)
        return std::unexpected(libraryError("cannot enable the event", system + ":" + event));
    return {};
}

Result<void> TraceInstance::setTracing(bool on) {
    errno = 0;
    const int result = on ? tracefs_trace_on(instance_.get()) : tracefs_trace_off(instance_.get());
    if (result < 0)
        return std::unexpected(libraryError(
            on ? "cannot switch tracing on" : "cannot switch tracing off", path("tracing_on")));
    return {};
}

Result<void> TraceInstance::remove() {
    errno = 0;
    const std::string directory = path("");
    if (tracefs_instance_destroy(instance_.get()) != 0) {
        Error error = libraryError("cannot remove the tracing instance", directory);
        error.remedy = "close what reads from it, then: sudo rmdir " + directory;
        return std::unexpected(std::move(error));
    }
    instance_.reset();
    return {};
}

Result<Tracefs> Tracefs::open() {
    // The library would print its own words on stderr beside our errors.
    tracefs_set_loglevel(TEP_LOG_NONE);
    const char* found = nullptr;
    if (tracefs_tracing_dir_is_mounted(false, &found) != 1 || found == nullptr)
        return std::unexpected(Error{ErrorCode::NotFound,
                                     "tracefs is not mounted; the kernel's events are read there",
                                     "/sys/kernel/tracing", kMountCommand});
    const std::string path = found;
    std::free(const_cast<char*>(found)); // the library gives it away in spite of its type
    const std::string instances = path + "/instances";
    if (::access(instances.c_str(), W_OK | X_OK) == 0)
        return Tracefs(path);
    if (errno == ENOENT && ::access(path.c_str(), X_OK) == 0)
        return std::unexpected(Error{ErrorCode::NotFound,
                                     "tracefs is not mounted; the kernel's events are read there",
                                     path, kMountCommand});
    return std::unexpected(Error{ErrorCode::PermissionDenied,
                                 "tracefs is not writable for this user; recording makes a private "
                                 "tracing instance there",
                                 instances, "run the same command with sudo"});
}

Result<std::string> Tracefs::read(const std::string& file) const {
    return readFile(path_ + "/" + file);
}

std::vector<std::string> Tracefs::events(const std::string& system) const {
    return takeList(tracefs_system_events(nullptr, system.c_str()));
}

bool Tracefs::hasEvent(const std::string& system, const std::string& event) const {
    return tracefs_event_file_exists(nullptr, system.c_str(), event.c_str(), "enable");
}

Result<std::string> Tracefs::eventFormat(const std::string& system,
                                         const std::string& event) const {
    return read("events/" + system + "/" + event + "/format");
}

std::vector<std::string> Tracefs::instances() const {
    return takeList(tracefs_instances(nullptr));
}

std::vector<std::string> Tracefs::removeDeadInstances() const {
    std::vector<std::string> removed;
    for (const std::string& name : instances()) {
        const auto owner = parseInstanceName(name);
        if (!owner || !ownerIsDead(*owner))
            continue;
        tracefs_instance* instance = tracefs_instance_alloc(nullptr, name.c_str());
        if (instance != nullptr && tracefs_instance_destroy(instance) == 0)
            removed.push_back(name);
        tracefs_instance_free(instance);
    }
    return removed;
}

} // namespace inversight
