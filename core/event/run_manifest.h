// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace inversight {

inline constexpr int kManifestVersion = 1;

/// A worker of a run as it really was.
struct ManifestThread {
    std::int32_t tid = 0;
    std::string name;
    std::string schedulingClass; ///< "other", "fifo", "rr", "deadline"
    std::int32_t priority = 0;   ///< RT priority 1..99, 0 for others
    std::int32_t nice = 0;
    std::vector<std::int32_t> cpus;
    bool operator==(const ManifestThread&) const = default;
};

/// Everything a report needs to know about a run, version 1. Written as markers after the start
/// and again before the close of a recording, so that the trace alone is enough and any tool may
/// rewrite the file.
struct RunManifest {
    std::string tool; ///< "inversight 0.1.0"
    std::vector<std::string> argv;
    std::string scenario; ///< scenario document with overrides, as JSON text
    std::uint64_t seed = 0;
    std::string policy;
    std::string engine;     ///< "real" or "virtual"
    std::string systemName; ///< uname -srvm
    std::string rtLimits;   ///< e.g. "rt_runtime 950000 of 1000000 us, rtprio unlimited"
    std::string clock;      ///< "mono"
    std::int32_t tgid = 0;
    std::int32_t cpuCount = 0;
    std::vector<ManifestThread> threads;
    bool operator==(const RunManifest&) const = default;

    [[nodiscard]] std::string toJson() const;

    /// Newer versions are refused by name, older ones read, unknown keys ignored.
    [[nodiscard]] static Result<RunManifest> fromJson(const std::string& text);

    /// The JSON cut into marker texts (`inversight.manifest K/N ...` payloads) such that each
    /// encoded marker has at most 900 bytes, without cutting a UTF-8 sequence.
    [[nodiscard]] std::vector<std::string> toMarkerParts() const;
};

/// Puts a manifest together again from its parts, in any order, with duplicates (it is written
/// twice). Thread-bound.
class ManifestAssembler {
public:
    void add(std::uint32_t index, std::uint32_t count, std::string_view text);
    [[nodiscard]] bool complete() const;
    /// NotFound while parts are missing.
    [[nodiscard]] Result<RunManifest> manifest() const;

private:
    std::uint32_t count_ = 0;
    std::map<std::uint32_t, std::string> parts_;
};

} // namespace inversight
