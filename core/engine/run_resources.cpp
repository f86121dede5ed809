// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/engine/run_resources.h"

#include "core/bus/bus_backends.h"
#include "core/engine/runnable.h"
#include "core/workload/lock_users.h"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

namespace inversight {

namespace {

Result<RunLock> makeRunLock(const LockUse& use, const LockPolicyRow& runPolicy, LockScope scope) {
    const LockPolicyRow* policy = TRY(realPolicyOf(use, runPolicy));
    std::unique_ptr<LockPolicy> lock = policy->makeReal({.scope = scope, .ceiling = use.ceiling()});
    return RunLock{std::string(policy->name),
                   std::make_unique<WatchedLock>(use.lock, std::move(lock), policy->traits)};
}

Result<std::unique_ptr<BusBackend>> openBackend(const BusSpec& spec, const LockPolicyRow& policy) {
    const BusBackendRow* backend = TRY(findBusBackend(spec.backend));
    if (backend->ownLock)
        return std::unexpected(
            Error{ErrorCode::Unsupported,
                  fmt::format("bus {} brings its own lock: policy {} cannot be put in front of it",
                              spec.name, policy.name)});
    return backend->open(spec);
}

} // namespace

Result<RunResources> RunResources::open(const WorkloadSpec& spec, const LockPolicyRow& policy,
                                        LockScope scope) {
    RunResources resources;
    for (const LockUse& use : lockUses(spec))
        resources.locks_.push_back(TRY(makeRunLock(use, policy, scope)));
    for (const BusSpec& bus : spec.buses)
        resources.buses_.push_back(
            {bus.name, &resources.lock(bus.lockName()), TRY(openBackend(bus, policy))});
    return resources;
}

WatchedLock& RunResources::lock(std::string_view name) const {
    const auto found = std::ranges::find_if(
        locks_, [&](const RunLock& candidate) { return candidate.lock->name() == name; });
    assert(found != locks_.end() && "a validated spec names only its own locks");
    return *found->lock;
}

RunBus& RunResources::bus(std::string_view name) {
    const auto found = std::ranges::find(buses_, name, &RunBus::name);
    assert(found != buses_.end() && "a validated spec names only its own buses");
    return *found;
}

void RunResources::announce(std::int32_t tgid, MarkerSink& markers) const {
    for (const RunLock& lock : locks_) {
        if (const std::uint64_t address = lock.lock->policy().futexAddress(); address != 0)
            markers.write(
                {tgid, LockAnnouncement{lock.lock->name(), address, LockAddressKind::Futex}});
    }
}

} // namespace inversight
