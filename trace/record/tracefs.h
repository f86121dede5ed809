// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"
#include "core/base/unique_fd.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

struct tracefs_instance;

namespace inversight {

/// One private instance of the kernel's tracing: its own ring buffers, events and clock. Removes
/// itself when destroyed. Files are named relative to the instance ("per_cpu/cpu0/stats").
/// Thread-bound, but for read().
class TraceInstance {
public:
    /// Busy if the instance exists already.
    [[nodiscard]] static Result<TraceInstance> create(const std::string& name);

    TraceInstance(TraceInstance&&) noexcept = default;
    TraceInstance& operator=(TraceInstance&&) = delete;
    ~TraceInstance();

    [[nodiscard]] std::string name() const;
    [[nodiscard]] Result<std::string> read(const std::string& file) const;
    [[nodiscard]] Result<void> write(const std::string& file, const std::string& text);
    [[nodiscard]] bool has(const std::string& file) const;
    [[nodiscard]] Result<UniqueFd> open(const std::string& file, int flags) const;

    /// The numbers of the CPUs that have a ring buffer, ascending.
    [[nodiscard]] Result<std::vector<int>> cpus() const;
    [[nodiscard]] Result<void> setBufferSize(std::uint32_t kibPerCpu);
    [[nodiscard]] Result<void> enableEvent(const std::string& system, const std::string& event);
    [[nodiscard]] Result<void> setTracing(bool on);

    /// Files opened through it must be closed before: the kernel refuses otherwise (Busy).
    [[nodiscard]] Result<void> remove();

private:
    struct Free {
        void operator()(tracefs_instance* instance) const;
    };
    explicit TraceInstance(tracefs_instance* instance) : instance_(instance) {}
    [[nodiscard]] std::string path(const std::string& file) const;

    std::unique_ptr<tracefs_instance, Free> instance_;
};

/// What the kernel offers for tracing, read only: nothing here changes a global setting. A thin
/// shell over libtracefs, which is used nowhere else. Reentrant.
class Tracefs {
public:
    /// NotFound or PermissionDenied say what to do. Never mounts anything itself.
    [[nodiscard]] static Result<Tracefs> open();

    [[nodiscard]] const std::string& path() const { return path_; }
    /// A control file of the top level ("events/header_page").
    [[nodiscard]] Result<std::string> read(const std::string& file) const;
    /// Names of a system's events, sorted; empty if there is no such system.
    [[nodiscard]] std::vector<std::string> events(const std::string& system) const;
    [[nodiscard]] bool hasEvent(const std::string& system, const std::string& event) const;
    [[nodiscard]] Result<std::string> eventFormat(const std::string& system,
                                                  const std::string& event) const;
    [[nodiscard]] std::vector<std::string> instances() const;

    /// Removes the instances of inversight processes that are gone, and nobody else's; one that is
    /// still in use is left alone. Returns the names of the removed ones.
    std::vector<std::string> removeDeadInstances() const;

private:
    explicit Tracefs(std::string path) : path_(std::move(path)) {}
    std::string path_;
};

} // namespace inversight
