// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

/// What the engine says about itself, written into the kernel's trace through trace_marker, and
/// the one codec (version 1) that writes and reads it.
///
/// Slices are the ones other viewers draw already: `B|tgid|name` opens and `E|tgid` closes a slice
/// of the writing thread. Holds may overlap without nesting, so they are asynchronous spans,
/// `S|tgid|hold LOCK|cookie` and `F|tgid|hold LOCK|cookie`. The thread is the record's common_pid;
/// the number in the text is the process. Names escape `%`, `|`, newline and carriage return as
/// %25, %7C, %0A, %0D.
namespace inversight {

inline constexpr int kMarkerVersion = 1;

/// The longest marker the codec makes; the kernel's limit is near a page, old ones cut at 1 KiB.
inline constexpr std::size_t kMaxMarkerBytes = 1000;

/// The thread asks for the lock and may have to wait: `B|tgid|wait LOCK`.
struct WaitBegin {
    std::string_view lock;
    bool operator==(const WaitBegin&) const = default;
};
/// The wire (and the driver's work around it) begins: `B|tgid|xfer BUS OP`.
struct TransferBegin {
    std::string_view bus;
    std::string_view operation;
    bool operator==(const TransferBegin&) const = default;
};
/// Closes the innermost slice of this thread: `E|tgid`.
struct SliceEnd {
    bool operator==(const SliceEnd&) const = default;
};
/// A slice of somebody else's making: `B|tgid|anything`.
struct OtherSliceBegin {
    std::string_view name;
    bool operator==(const OtherSliceBegin&) const = default;
};
/// The thread owns the lock from here: `S|tgid|hold LOCK|cookie`. The cookie is unique per hold.
struct HoldBegin {
    std::string_view lock;
    std::uint64_t cookie = 0;
    bool operator==(const HoldBegin&) const = default;
};
/// ... until just before it lets go: `F|tgid|hold LOCK|cookie`.
struct HoldEnd {
    std::string_view lock;
    std::uint64_t cookie = 0;
    bool operator==(const HoldEnd&) const = default;
};
/// The k-th job was due at `plannedNs` (CLOCK_MONOTONIC): `I|tgid|release K planned=NS`.
struct Release {
    std::uint64_t index = 0;
    std::int64_t plannedNs = 0;
    bool operator==(const Release&) const = default;
};
enum class LockAddressKind { Futex, Kernel };
/// Ties a lock's name to the address kernel events show: `I|tgid|lock NAME addr=0x.. kind=futex`.
struct LockAnnouncement {
    std::string_view lock;
    std::uint64_t address = 0;
    LockAddressKind kind = LockAddressKind::Futex;
    bool operator==(const LockAnnouncement&) const = default;
};
/// One piece of the run's manifest: `I|tgid|inversight.manifest K/N TEXT`, K from 1.
struct ManifestPart {
    std::uint32_t index = 1;
    std::uint32_t count = 1;
    std::string_view text;
    bool operator==(const ManifestPart&) const = default;
};
/// Any other instant: `I|tgid|text`.
struct Note {
    std::string_view text;
    bool operator==(const Note&) const = default;
};

using MarkerBody = std::variant<WaitBegin, TransferBegin, SliceEnd, OtherSliceBegin, HoldBegin,
                                HoldEnd, Release, LockAnnouncement, ManifestPart, Note>;

struct Marker {
    std::int32_t tgid = 0;
    MarkerBody body;
    bool operator==(const Marker&) const = default;
};

/// Encodes and decodes markers. Reentrant; neither direction allocates, but for names with escapes.
class MarkerCodec {
public:
    using Buffer = std::array<char, kMaxMarkerBytes>;

    /// The marker's text inside `buffer`; cut at kMaxMarkerBytes (names are limited by validation
    /// of the scenario, manifest parts by RunManifest::toMarkers, so that a cut never happens
    /// there).
    static std::string_view encode(const Marker& marker, Buffer& buffer);

    /// The marker in `text`, or nothing if it is not one of ours or atrace's (a final newline is
    /// allowed). Views point into `text`, or into `unescaped` if a name had escapes.
    static std::optional<Marker> decode(std::string_view text, std::string& unescaped);
};

/// Where an engine reports to. `write` is called on the hot path: it must not block, allocate or
/// fail loudly; a sink counts what it could not write. Thread-safe.
class MarkerSink {
public:
    virtual ~MarkerSink() = default;
    virtual void write(const Marker& marker) noexcept = 0;
};

/// Drops everything; for runs that are not recorded.
class NullMarkerSink final : public MarkerSink {
public:
    void write(const Marker&) noexcept override {}
};

} // namespace inversight
