// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/error.h"
#include "trace/decode/text_line.h"
#include "trace/decode/text_states.h"
#include "trace/file/record_store.h"

#include <cstdint>
#include <optional>
#include <string_view>

/// Which tool wrote a text, and what of it cannot be seen in a line alone.
namespace inversight {

/// Which character of the flag column says what; -1: the column has no such character.
struct FlagLayout {
    int size = 0;
    int irqs = 0;
    int resched = 1;
    int lazy = -1;
    int context = 2; ///< hard or soft interrupt, NMI
    int depth = 3;
    int migrate = 4;
    bool operator==(const FlagLayout&) const = default;
};

/// The columns by their legend ("_-------=> irqs-off"); size 0 if the text has none.
[[nodiscard]] FlagLayout flagLayoutOf(std::string_view text);

/// Puts the flag column into common_flags and common_preempt_count, by the legend if it has the
/// column's size, otherwise by what kernels write in columns of that size.
void decodeFlags(const FlagLayout& legend, TextHeader& header);

struct TextDialect {
    std::string_view format;    ///< "ftrace text"
    std::string_view lookedFor; ///< "lines ..."
    bool (*looksLike)(std::string_view text) = nullptr;
    StateLetters oldStyle = StateLetters::Kernel; ///< of "NAME:PID [PRIO] S ==> ..."
    bool html = false;                            ///< the trace is inside <script> elements
    bool graph = false;                           ///< lines are those of the function_graph tracer
    bool hasBuffers = false;                      ///< "second:   task-1 ..." names a buffer
    bool indentedBelongs = false;    ///< what is indented after an event belongs to it: call stacks
    bool wholeTimesAreTicks = false; ///< the kernel writes ns as seconds, and only ticks whole
};

inline constexpr std::size_t kMostDialects = 5;

/// All dialects, the more special first.
[[nodiscard]] const TextDialect* textDialects();

/// The dialect of a text, or null. Looks at the text's begin (kSampleSize bytes) only, but for a
/// web page, which may have its trace far behind.
[[nodiscard]] const TextDialect* findTextDialect(std::string_view text);
inline constexpr std::size_t kSampleSize = std::size_t{256} << 10;

/// Why a text that is known, but holds no events this version can read, is refused.
[[nodiscard]] std::optional<Error> refuseText(const RecordStore& records);

/// The bytes of a file as text.
[[nodiscard]] std::string_view textOf(const RecordStore& records);

/// Without the byte order mark some Windows tools put first.
[[nodiscard]] std::string_view withoutByteOrderMark(std::string_view text);

} // namespace inversight
