// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

namespace inversight {

/// Threads that stay between short parallel loops. Thread-bound: one loop at a time. Who has
/// nothing to do waits actively for some microseconds before it sleeps, for loops often follow each
/// other faster than a thread can be woken.
///
///     WorkerPool pool;
///     pool.forEach(parts.size(), [&](std::size_t part) { decode(parts[part]); });
class WorkerPool {
public:
    /// As many threads as the machine has processors, the caller being one of them.
    WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    /// Calls `task(index)` for every index below `count`, in any order, on all threads; returns
    /// when all have returned. `task` must not throw.
    void forEach(std::size_t count, const std::function<void(std::size_t)>& task);

private:
    void work(const std::stop_token& stop);
    void takeIndices();

    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::condition_variable_any done_;
    const std::function<void(std::size_t)>* task_ = nullptr; ///< set before round_ changes
    std::size_t count_ = 0;                                  ///< the same
    std::atomic<std::size_t> next_ = 0;
    std::atomic<std::size_t> round_ = 0; ///< changes under mutex_
    std::atomic<std::size_t> busy_ = 0;  ///< reaches 0 under mutex_
    std::vector<std::jthread> threads_;  // the last member: ends first
};

} // namespace inversight
