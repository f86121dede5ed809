// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/base/worker_pool.h"

#include <algorithm>
#include <chrono>

namespace inversight {

namespace {

/// Asks for some tens of microseconds; whether the answer was yes in that time.
template <class Condition>
bool spinUntil(const Condition& condition) {
    constexpr auto kPatience = std::chrono::microseconds(50);
    const auto begin = std::chrono::steady_clock::now();
    do {
        for (int i = 0; i < 64; ++i) {
            if (condition())
                return true;
        }
        std::this_thread::yield();
    } while (std::chrono::steady_clock::now() - begin < kPatience);
    return condition();
}

} // namespace

WorkerPool::WorkerPool() {
    for (unsigned count = std::max(1U, std::thread::hardware_concurrency()); count > 1; --count)
        threads_.emplace_back([this](const std::stop_token& stop) { work(stop); });
}

void WorkerPool::takeIndices() {
    for (std::size_t index = next_++; index < count_; index = next_++)
        (*task_)(index);
}

void WorkerPool::work(const std::stop_token& stop) {
    std::size_t seen = 0;
    while (true) {
        if (!spinUntil([&] { return round_ != seen; })) {
            std::unique_lock lock(mutex_);
            wake_.wait(lock, stop, [&] { return round_ != seen; });
        }
        if (stop.stop_requested())
            return;
        seen = round_;
        takeIndices();
        const std::lock_guard lock(mutex_);
        if (--busy_ == 0)
            done_.notify_one();
    }
}

void WorkerPool::forEach(std::size_t count, const std::function<void(std::size_t)>& task) {
    if (count <= 1 || threads_.empty()) {
        for (std::size_t index = 0; index < count; ++index)
            task(index);
        return;
    }
    {
        const std::lock_guard lock(mutex_);
        task_ = &task;
        count_ = count;
        next_ = 0;
        busy_ = threads_.size();
        ++round_;
    }
    wake_.notify_all();
    takeIndices();
    // Under the mutex at last: the other side may still be inside its critical section.
    (void)spinUntil([this] { return busy_ == 0; });
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return busy_ == 0; });
}

} // namespace inversight
