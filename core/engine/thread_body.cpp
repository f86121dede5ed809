// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/engine/thread_body.h"

#include "core/workload/wire_time.h"

#include <cassert>

namespace inversight {

namespace {

/// Appends the steps one after the other.
class BodyResolver {
public:
    explicit BodyResolver(RunResources& resources) : resources_(resources) {}

    void operator()(const RunStep& step) { body_.emplace_back(step); }
    void operator()(const SleepStep& step) { body_.emplace_back(step); }
    void operator()(const NextPeriodStep& step) { body_.emplace_back(step); }
    void operator()(const MarkStep& step) { body_.emplace_back(step); }
    void operator()(const LockStep& step) {
        open_.push_back(body_.size());
        body_.emplace_back(TakeStep{&resources_.lock(step.lock)});
    }
    void operator()(const TryLockStep& step) {
        open_.push_back(body_.size());
        body_.emplace_back(TryStep{&resources_.lock(step.lock)});
    }
    void operator()(const UnlockStep&) {
        assert(!open_.empty() && "a validated body is balanced");
        body_.emplace_back(ReleaseStep{});
        if (auto* attempt = std::get_if<TryStep>(&body_[open_.back()]))
            attempt->behindUnlock = body_.size();
        open_.pop_back();
    }
    void operator()(const TransferStep& step) {
        body_.emplace_back(
            BusStep{&resources_.bus(step.bus), step.operation, busOperationName(step.operation)});
    }
    void operator()(const ServeStep& step) {
        body_.emplace_back(HelpStep{&resources_.bus(step.bus), step.service});
    }

    [[nodiscard]] std::vector<BodyStep> take() && { return std::move(body_); }

private:
    RunResources& resources_;
    std::vector<BodyStep> body_;
    std::vector<std::size_t> open_; ///< the steps that took the locks held here
};

} // namespace

std::vector<BodyStep> resolveBody(const ThreadSpec& thread, RunResources& resources) {
    BodyResolver resolver(resources);
    for (const Step& step : thread.body)
        std::visit(resolver, step);
    return std::move(resolver).take();
}

} // namespace inversight
