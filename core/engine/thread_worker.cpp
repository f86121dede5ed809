// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/engine/thread_worker.h"

#include <utility>

#include <fmt/format.h>

namespace inversight {

namespace {

constexpr std::size_t kStackBytes = std::size_t{512} * 1024;

} // namespace

Result<void> ThreadWorker::start() {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, kStackBytes);
    const int error = pthread_create(&thread_, &attributes, &ThreadWorker::entry, this);
    pthread_attr_destroy(&attributes);
    if (error != 0)
        return std::unexpected(
            Error::fromErrno(error, fmt::format("worker {} could not be made", spec().name)));
    started_ = true;
    return {};
}

void ThreadWorker::join() {
    if (std::exchange(started_, false))
        pthread_join(thread_, nullptr);
}

void* ThreadWorker::entry(void* worker) {
    auto* self = static_cast<ThreadWorker*>(worker);
    self->setFigures(self->work());
    return nullptr;
}

} // namespace inversight
