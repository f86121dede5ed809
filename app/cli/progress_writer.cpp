// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "app/cli/progress_writer.h"

#include "app/cli/output.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <limits.h>
#include <poll.h>
#include <unistd.h>

namespace inversight {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kPollSliceMs = 50;

/// Names come from the kernel and may be any bytes: what is not UTF-8 is replaced, not fatal.
std::string dump(const Json& object) {
    return object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

void addIfKnown(Json& object, const char* key, const auto& value) {
    if (value)
        object[key] = *value;
}

} // namespace

ProgressWriter::ProgressWriter(int fd) : fd_(fd), thread_([this] { writeLoop(); }) {}

ProgressWriter::~ProgressWriter() {
    {
        const std::lock_guard lock(mutex_);
        closed_ = true;
    }
    changed_.notify_all();
    giveUp_.store(true);
    thread_.join();
}

void ProgressWriter::hello(const std::optional<std::string>& instance) {
    Json object{{"type", "hello"},
                {"protocol", kProtocolVersion},
                {"version", programVersion()},
                {"pid", getpid()},
                {"instance", nullptr}};
    addIfKnown(object, "instance", instance);
    send(object, false);
}

void ProgressWriter::plan(Json plan) {
    Json object{{"type", "plan"}};
    object.update(plan);
    send(object, false);
}

void ProgressWriter::progress(const JobProgress& progress) {
    Json object{{"type", "progress"},
                {"phase", progress.phase},
                {"done", progress.done},
                {"total", progress.total}};
    if (!progress.policy.empty())
        object["policy"] = progress.policy;
    addIfKnown(object, "operations", progress.operations);
    addIfKnown(object, "max_latency_ns", progress.maxLatencyNs);
    addIfKnown(object, "events", progress.events);
    addIfKnown(object, "lost", progress.lost);
    send(object, true);
}

void ProgressWriter::warning(std::string_view text) {
    send({{"type", "warning"}, {"text", text}}, false);
}

void ProgressWriter::result(const Json& document) {
    send({{"type", "result"}, {"document", document}}, false);
}

void ProgressWriter::error(const Error& error) {
    send({{"type", "error"},
          {"code", errorCodeName(error.code)},
          {"what", error.what},
          {"where", error.where},
          {"remedy", error.remedy}},
         false);
}

void ProgressWriter::send(const Json& object, bool progress) {
    std::string text = dump(object);
    {
        const std::lock_guard lock(mutex_);
        if (readerGone_)
            return;
        if (progress)
            std::erase_if(lines_, [](const Line& line) { return line.progress; });
        lines_.push_back({std::move(text), progress});
        idle_ = false;
    }
    changed_.notify_all();
}

void ProgressWriter::finish(std::stop_token abandon) {
    const std::stop_callback onAbandon(abandon, [this] { giveUp_.store(true); });
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return idle_ || readerGone_; });
}

void ProgressWriter::writeLoop() {
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return closed_ || !lines_.empty(); });
        if (lines_.empty())
            return;
        const std::string text = std::move(lines_.front().text);
        lines_.pop_front();
        lock.unlock();
        const bool written = writeLine(text);
        lock.lock();
        readerGone_ = readerGone_ || !written;
        if (readerGone_)
            lines_.clear();
        idle_ = lines_.empty();
        changed_.notify_all();
    }
}

bool ProgressWriter::writeLine(const std::string& text) {
    // A pipe that polls writable takes PIPE_BUF bytes without blocking, so the loop always comes
    // back to see giveUp_; making the descriptor non-blocking would change it for every process
    // that shares it.
    for (std::size_t written = 0; written < text.size();) {
        pollfd fd{fd_, POLLOUT, 0};
        if (poll(&fd, 1, kPollSliceMs) == 0) {
            if (giveUp_.load())
                return false;
            continue;
        }
        const auto size = std::min<std::size_t>(text.size() - written, PIPE_BUF);
        const auto count = write(fd_, text.data() + written, size);
        if (count < 0 && errno != EINTR && errno != EAGAIN)
            return false;
        written += count > 0 ? static_cast<std::size_t>(count) : 0;
    }
    return true;
}

} // namespace inversight
