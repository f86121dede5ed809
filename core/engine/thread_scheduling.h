// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"
#include "core/event/run_manifest.h"
#include "core/workload/workload_spec.h"

#include <vector>

namespace inversight {

/// Makes the calling thread what `spec` says: name, timer slack, CPUs of this machine, class and
/// priority. A DEADLINE thread is not pinned: the kernel admits such threads only where they may
/// use all CPUs of their root domain (sched(7)). An error names the thread and the remedy.
[[nodiscard]] Result<void> becomeThread(const ThreadSpec& spec, const std::vector<int>& cpus);

/// A living thread, or a process, as the kernel knows it.
[[nodiscard]] ManifestThread threadAsItIs(std::int32_t tid, const std::string& name);

/// SCHED_OTHER, whatever it was: the watchdog's last resort. `tid` is a thread or a process.
void demoteThread(std::int32_t tid);

} // namespace inversight
