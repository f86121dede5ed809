// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include <cstdint>

/// Figures of the kernel's ring buffer pages that reader and writer share
/// (kernel: include/linux/ring_buffer.h, kernel/trace/ring_buffer.c).
namespace inversight {

/// Bits of a record's time delta; a time extend holds what lies above them.
inline constexpr unsigned kRingDeltaBits = 27;
/// Commit word: events are missing before the page.
inline constexpr std::uint64_t kRingMissedEvents = std::uint64_t{1} << 31;
/// Commit word: their count stands behind the records.
inline constexpr std::uint64_t kRingMissedStored = std::uint64_t{1} << 30;

} // namespace inversight
