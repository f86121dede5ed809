// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/unique_fd.h"
#include "core/engine/run_guards.h"
#include "core/engine/worker.h"

#include <optional>

#include <sys/types.h>

namespace inversight {

/// A worker that is a process of its own, forked from this one. It dies with the thread that made
/// it. Its figures come through a pipe when it ends; what happens meanwhile is in shared memory.
class ProcessWorker final : public Worker {
public:
    using Worker::Worker;
    ~ProcessWorker() override { join(); }

    [[nodiscard]] Result<void> start() override;
    void join() override;

private:
    void onReady() override;
    [[noreturn]] void live(UniqueFd out);

    pid_t process_ = 0;
    UniqueFd in_;
    std::optional<LockedMemory> lockedMemory_; ///< in the worker's process
};

} // namespace inversight
