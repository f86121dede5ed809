// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/event/kernel_event.h"

#include <cstddef>
#include <vector>

namespace inversight {

/// The longest text of a print record; longer ones are cut, as the kernel cuts them.
inline constexpr std::size_t kMaxPrintBytes = 4000;

/// The event as one ring-buffer record, in the formats of kernelEventMetadata(). Names are cut to
/// the kernel's 15 bytes. Reentrant.
[[nodiscard]] std::vector<std::byte> encodeKernelEvent(const KernelEvent& event);

} // namespace inversight
