// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace inversight {

/// Splits bytes into lines without copying them; a line's end is "\n" or "\r\n". Linear.
class LineReader {
public:
    explicit LineReader(std::string_view text, std::size_t offset = 0)
        : text_(text), next_(offset) {}

    /// False at the end of the text.
    [[nodiscard]] bool next(std::string_view& line);

    /// Where the line that next() gave begins, and where the one after it begins.
    [[nodiscard]] std::size_t lineBegin() const { return begin_; }
    [[nodiscard]] std::size_t lineEnd() const { return next_; }
    /// Whether the line that next() gave has its newline: the last of a file that was cut has not.
    [[nodiscard]] bool lineIsWhole() const { return whole_; }

private:
    std::string_view text_;
    std::size_t begin_ = 0;
    std::size_t next_ = 0;
    bool whole_ = true;
};

/// The columns in front of an event, as any of the kernel's tools writes them.
struct TextHeader {
    std::string_view task;   ///< "" if there is none; may be a placeholder, or cut to 8 characters
    std::string_view buffer; ///< trace-cmd report of several buffers: "second"; "" = the top one
    std::string_view flags;  ///< irqs-off, need-resched, ...; "" if the column is absent
    std::int64_t time = 0;   ///< ns; a time without point or unit as it is
    std::int32_t tid = -1;   ///< -1: perf's way to say that the task has gone
    std::int32_t tgid = -1;  ///< -1: not written
    std::int32_t cpu = -1;   ///< -1: not written
    bool wholeTime = false;  ///< no point, no unit
    bool spaced = false;     ///< "name 123", perf's form, not "name-123"
    bool verbose = false;    ///< latency-format with verbose: the next two are numbers in the line
    std::uint8_t commonFlags = 0;
    std::uint8_t preemptCount = 0;
};

/// How sure it is that what follows the time is an event's name.
enum class NameShape : std::uint8_t {
    Named,    ///< "sched_switch: ..."
    Function, ///< "schedule <-worker_thread": the function tracer
    Syscall,  ///< "sys_futex(uaddr: ..." or "sys_futex -> 0x0"
    Unmarked, ///< a word without a colon
    Text,     ///< none of these
};

/// A line that is an event.
struct TextLine {
    TextHeader header;
    NameShape shape = NameShape::Text;
    std::string_view name; ///< as written, perf's "sched:sched_switch" included
    std::string_view body; ///< what follows the name, from its first character
};

/// What lines had in front of their times: tasks, CPUs and flags come again and again, and are then
/// found by one comparison. Views point into the text. Thread-bound.
class TextColumnCache {
public:
    /// What was understood of the same columns; null if they are new.
    [[nodiscard]] const TextHeader* find(std::string_view columns) const {
        const Slot& slot = slots_[slotOf(columns)];
        return slot.columns == columns ? &slot.header : nullptr;
    }
    void keep(std::string_view columns, const TextHeader& header) {
        slots_[slotOf(columns)] = {columns, header};
    }

private:
    struct Slot {
        std::string_view columns;
        TextHeader header;
    };
    static constexpr std::size_t kSlots = 64;

    [[nodiscard]] static std::size_t slotOf(std::string_view columns);

    std::array<Slot, kSlots> slots_;
};

/// Understands `line` as an event; false if it is none. `cache`: of this text, or null.
///
/// Columns are looked for from the right, beginning at the first colon that a time stands in front
/// of and an event's name behind: a task's name may hold blanks, dashes, colons, brackets and
/// digits, and what follows the name anything. Neither has the form of all the columns together: a
/// name has at most 15 bytes. Linear in the line, allocates nothing.
[[nodiscard]] bool parseTextLine(std::string_view line, TextLine& out,
                                 TextColumnCache* cache = nullptr);

/// "CPU:1 [LOST 141 EVENTS]", "CPU:7 [204600 EVENTS DROPPED]", "CPU:0 [LOST EVENTS]".
struct TextLoss {
    std::int32_t cpu = 0;
    bool counted = false;
    std::uint64_t count = 0;
};
[[nodiscard]] bool parseLossLine(std::string_view line, TextLoss& out);

/// "<...>", "<8397>", "<idle>", perf's ":8397", and no name at all: what tools write where they
/// know none.
[[nodiscard]] bool isPlaceholderTask(std::string_view name);

/// Higher numbers than any machine's are not CPUs.
inline constexpr std::int32_t kMostCpus = 4096;

} // namespace inversight
