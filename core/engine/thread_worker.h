// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/engine/worker.h"

#include <pthread.h>

namespace inversight {

/// A worker that is a thread of this process.
class ThreadWorker final : public Worker {
public:
    using Worker::Worker;
    ~ThreadWorker() override { join(); }

    [[nodiscard]] Result<void> start() override;
    void join() override;

private:
    static void* entry(void* worker);

    pthread_t thread_{};
    bool started_ = false;
};

} // namespace inversight
