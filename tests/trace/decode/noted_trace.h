// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "collecting_sink.h"
#include "trace/decode/page_source.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace inversight::test {

/// A trace loaded whole, with the questions the notes on the fixtures ask.
class NotedTrace {
public:
    /// The file is expected to open and load.
    explicit NotedTrace(const std::string& path);

    DatFile file;
    CollectingSink sink;
    std::vector<LoadReport> reports; ///< per stream

    [[nodiscard]] std::vector<const CollectedEvent*> events(const std::string& name,
                                                            std::size_t stream = 0) const;
    [[nodiscard]] std::size_t count(const std::string& name) const { return sink.count(name); }
    /// CPUs of a stream that recorded something, in the file's order.
    [[nodiscard]] std::vector<int> cpus(std::size_t stream = 0) const;
    [[nodiscard]] const std::vector<CollectedEvent>& onCpu(int cpu, std::size_t stream = 0) const;
    /// Per CPU the losses in the order they come, -1 for an unknown number.
    [[nodiscard]] std::map<int, std::vector<std::int64_t>> losses() const;
    /// "NAME OLD->NEW" of every sched_pi_setprio with its number.
    [[nodiscard]] std::map<std::string, int> setprios() const;
    /// Every text under a name that ends in "comm".
    [[nodiscard]] std::set<std::string> comms() const;
    /// Of an event of the file; there must be one.
    [[nodiscard]] const EventFormat& format(const std::string& name) const;

private:
    void load(const std::string& path);

    std::map<std::string, EventFormat> formats_;
};

} // namespace inversight::test
