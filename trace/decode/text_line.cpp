// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/decode/text_line.h"

#include "trace/decode/text_scan.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <limits>

namespace inversight {

namespace {

constexpr std::size_t kFewestFlags = 4;
constexpr std::size_t kMostFlags = 8;
constexpr std::size_t kLongestName = 15; ///< TASK_COMM_LEN without its NUL

constexpr auto kIsFlag = [] {
    std::array<bool, 256> table = {};
    for (int c = 0; c < 128; ++c) {
        const char character = static_cast<char>(c);
        table[static_cast<std::size_t>(c)] =
            (isWordCharacter(character) && c != '_') || c == '.' || c == '#';
    }
    return table;
}();

bool isFlagColumn(std::string_view token) {
    return token.size() >= kFewestFlags && token.size() <= kMostFlags &&
           std::ranges::all_of(token,
                               [](char c) { return kIsFlag[static_cast<unsigned char>(c)]; });
}

/// Walks over the columns from the right. Every take... returns what stood there and steps over it.
class BackwardCursor {
public:
    explicit BackwardCursor(std::string_view text) : text_(text) {}

    [[nodiscard]] bool done() const { return text_.empty(); }
    [[nodiscard]] char last() const { return text_.empty() ? '\0' : text_.back(); }
    [[nodiscard]] std::string_view rest() const { return text_; }

    bool take(char c) {
        if (last() != c || done())
            return false;
        text_.remove_suffix(1);
        return true;
    }
    bool take(std::string_view expected) {
        if (!text_.ends_with(expected))
            return false;
        text_.remove_suffix(expected.size());
        return true;
    }
    bool skipBlanks() {
        const std::size_t before = text_.size();
        text_ = withoutTrailingBlanks(text_);
        return text_.size() < before;
    }
    template <class Predicate>
    std::string_view takeWhile(Predicate predicate, std::size_t most) {
        std::size_t begin = text_.size();
        while (begin > 0 && text_.size() - begin < most && predicate(text_[begin - 1]))
            --begin;
        const std::string_view taken = text_.substr(begin);
        text_.remove_suffix(taken.size());
        return taken;
    }
    /// Decimal digits, at most 18 of them; their number is returned, 0 if there are none.
    int takeDecimal(std::int64_t& value) {
        if (text_.size() >= EightCharacters::kCount) [[likely]] {
            std::uint32_t number = 0;
            const std::size_t count =
                EightCharacters(text_.data() + text_.size() - EightCharacters::kCount)
                    .trailingDigits(number);
            if (count < EightCharacters::kCount) [[likely]] {
                text_.remove_suffix(count);
                value = number;
                return static_cast<int>(count);
            }
        }
        return takeManyDigits(value);
    }
    /// The same for a number that fits 32 bits.
    bool takeDecimal(std::int32_t& value) {
        std::int64_t wide = 0;
        if (takeDecimal(wide) == 0 || wide > std::numeric_limits<std::int32_t>::max())
            return false;
        value = static_cast<std::int32_t>(wide);
        return true;
    }

private:
    [[gnu::noinline]] int takeManyDigits(std::int64_t& value) {
        constexpr int kMostDigits = 18; // always fits
        std::int64_t power = 1;
        std::int64_t sum = 0;
        int count = 0;
        for (std::size_t end = text_.size(); end > 0 && isDigit(text_[end - 1]); --end) {
            if (count++ == kMostDigits)
                break;
            sum += (text_[end - 1] - '0') * power;
            power *= 10;
        }
        if (count > kMostDigits)
            return takeLongDecimal(value);
        text_.remove_suffix(static_cast<std::size_t>(count));
        value = sum;
        return count;
    }
    /// Nanoseconds since 1970 have 19 digits.
    int takeLongDecimal(std::int64_t& value) {
        const std::string_view digits = takeWhile(isDigit, 20);
        const auto [end, failure] =
            std::from_chars(digits.data(), digits.data() + digits.size(), value);
        return failure == std::errc() ? static_cast<int>(digits.size()) : 0;
    }

    std::string_view text_;
};

template <class Integer>
bool toInteger(std::string_view digits, Integer& value, int base = 10) {
    const auto [end, failure] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    return failure == std::errc() && end == digits.data() + digits.size();
}

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kMostSeconds = 9'000'000'000;

/// "46.299760" behind whose point `decimals` digits stood that make `fraction`.
bool takeSeconds(BackwardCursor& cursor, std::int64_t fraction, int decimals, std::int64_t& time) {
    constexpr std::array<std::int64_t, 10> kScale = {
        1'000'000'000, 100'000'000, 10'000'000, 1'000'000, 100'000, 10'000, 1'000, 100, 10, 1};
    std::int64_t seconds = 0;
    if (decimals > 9 || cursor.takeDecimal(seconds) == 0 || seconds > kMostSeconds)
        return false;
    time = seconds * kSecond + fraction * kScale[static_cast<std::size_t>(decimals)];
    return true;
}

/// "132079us!", "12us ": latency-format. The mark says how long the delay was.
bool takeMicroseconds(BackwardCursor& cursor, TextHeader& header) {
    constexpr std::string_view kMarks = " !+#*@$";
    if (kMarks.find(cursor.last()) == std::string_view::npos)
        return false;
    cursor.takeWhile([](char) { return true; }, 1);
    std::int64_t microseconds = 0;
    if (!cursor.take("us") || cursor.takeDecimal(microseconds) == 0 ||
        microseconds > kMostSeconds * 1'000'000)
        return false;
    header.time = microseconds * 1000;
    return true;
}

/// The time in front of a colon.
bool takeTime(BackwardCursor& cursor, TextHeader& header) {
    if (!isDigit(cursor.last()))
        return takeMicroseconds(cursor, header);
    const int digits = cursor.takeDecimal(header.time);
    if (cursor.take('.'))
        return takeSeconds(cursor, header.time, digits, header.time);
    header.wholeTime = true;
    return digits > 0;
}

bool takeCpu(BackwardCursor& cursor, TextHeader& header) {
    return cursor.take(']') && cursor.takeDecimal(header.cpu) && header.cpu < kMostCpus &&
           cursor.take('[');
}

/// "0d..h3..": latency-format's CPU has no blank behind it; a flag column never begins with a
/// digit.
bool splitGluedCpu(std::string_view token, TextHeader& header) {
    const auto flags = std::ranges::find_if_not(token, isDigit);
    const auto digits = static_cast<std::size_t>(flags - token.begin());
    if (digits == 0 || !isFlagColumn(token.substr(digits)))
        return false;
    header.flags = token.substr(digits);
    return toInteger(token.substr(0, digits), header.cpu) && header.cpu < kMostCpus;
}

/// "(  598)", "(-----)".
bool takeThreadGroup(BackwardCursor& cursor, TextHeader& header) {
    if (!cursor.take(')'))
        return true; // the column is absent
    const std::string_view inside =
        cursor.takeWhile([](char c) { return isDigit(c) || c == '-' || c == ' '; }, kLongestName);
    const std::string_view digits = withoutLeadingBlanks(inside);
    std::int32_t group = 0;
    if (!digits.empty() && isDigit(digits.front()) && !toInteger(digits, group))
        return false;
    header.tgid = group > 0 ? group : -1;
    return cursor.take('(');
}

/// A report of several buffers writes the buffer in front of the task; mail and consoles put other
/// things there. A task's own name is never that long.
void splitPrefix(std::string_view text, TextHeader& header) {
    header.task = withoutLeadingBlanks(text);
    if (header.task.size() <= kLongestName)
        return;
    const std::size_t gap = header.task.rfind("  ");
    if (gap == std::string_view::npos || header.task.size() - gap - 2 > kLongestName)
        return;
    const std::string_view prefix = withoutTrailingBlanks(header.task.substr(0, gap));
    header.task = header.task.substr(gap + 2);
    if (!text.empty() && !isBlank(text.front()) && prefix.size() > 1 && prefix.ends_with(':'))
        header.buffer = prefix.substr(0, prefix.size() - 1);
}

/// "name-123" of the kernel and trace-cmd; "name 123", "name 120/123" of perf, where a task that
/// has gone is ":-1    -1".
bool takeTask(BackwardCursor& cursor, TextHeader& header) {
    if (!cursor.takeDecimal(header.tid))
        return false;
    if (cursor.take('-')) {
        const bool gone = cursor.last() == '/' ||
                          (isBlank(cursor.last()) &&
                           withoutLeadingBlanks(withoutTrailingBlanks(cursor.rest())) == ":-1");
        if (!gone) {
            splitPrefix(cursor.rest(), header);
            return true;
        }
        header.tid = -1;
        header.spaced = true;
        return true;
    }
    header.spaced = true;
    if (cursor.take('/')) { // "120/123": the process stands first
        if (!cursor.takeDecimal(header.tgid))
            return false;
    }
    if (!cursor.done() && !isBlank(cursor.last()))
        return false;
    if (header.tgid == 0)
        header.tgid = -1;
    cursor.skipBlanks();
    header.task = withoutLeadingBlanks(cursor.rest());
    return true;
}

/// latency-format with verbose: "name 19   0 129 00000003 00000005 [0076ca70] 132.747ms
/// (+0.013ms)".
bool parseVerbose(BackwardCursor cursor, TextHeader& header) {
    const auto isHex = [](char c) { return isDigit(c) || (c >= 'a' && c <= 'f'); };
    const auto isDecimal = [](char c) { return isDigit(c) || c == '.'; };
    std::uint64_t microseconds = 0;
    std::uint32_t preempt = 0;
    std::int32_t flags = 0;
    if (!cursor.take("ms)") || cursor.takeWhile(isDecimal, 24).empty() || !cursor.take("(+") ||
        !cursor.skipBlanks() || !cursor.take("ms") || cursor.takeWhile(isDecimal, 24).empty() ||
        !cursor.skipBlanks() || !cursor.take(']') ||
        !toInteger(cursor.takeWhile(isHex, 16), microseconds, 16) || !cursor.take('[') ||
        !cursor.skipBlanks() || cursor.takeWhile(isHex, 16).empty() || !cursor.skipBlanks() ||
        !toInteger(cursor.takeWhile(isHex, 8), preempt, 16) || !cursor.skipBlanks() ||
        !cursor.takeDecimal(flags) || !cursor.skipBlanks() || !cursor.takeDecimal(header.cpu) ||
        header.cpu >= kMostCpus || !cursor.skipBlanks() || !cursor.takeDecimal(header.tid) ||
        !cursor.skipBlanks() || microseconds > static_cast<std::uint64_t>(kMostSeconds) * 1'000'000)
        return false;
    header.time = static_cast<std::int64_t>(microseconds) * 1000;
    header.verbose = true;
    header.commonFlags = static_cast<std::uint8_t>(flags);
    header.preemptCount = static_cast<std::uint8_t>(preempt);
    header.task = withoutLeadingBlanks(cursor.rest());
    return true;
}

/// CPU and flags, where they are written.
bool takeCpuAndFlags(BackwardCursor& cursor, TextHeader& header, bool& glued) {
    if (cursor.last() == ']')
        return takeCpu(cursor, header);
    BackwardCursor ahead = cursor;
    const std::string_view token =
        ahead.takeWhile([](char c) { return !isBlank(c) && c != ']'; }, kMostFlags + 4);
    if (isFlagColumn(token)) {
        BackwardCursor before = ahead;
        before.skipBlanks();
        if (before.last() == ']') {
            header.flags = token;
            cursor = before;
            return takeCpu(cursor, header);
        }
    }
    glued = isBlank(ahead.last()) && splitGluedCpu(token, header);
    if (glued)
        cursor = ahead;
    return true;
}

/// What stands in front of the time.
bool parseTask(BackwardCursor cursor, TextHeader& header) {
    bool glued = false;
    if (!takeCpuAndFlags(cursor, header, glued))
        return false;
    cursor.skipBlanks();
    if (!takeThreadGroup(cursor, header))
        return false;
    cursor.skipBlanks();
    // Nothing but a number and a time could be anything: without a CPU it must be perf's form.
    return takeTask(cursor, header) &&
           (header.cpu >= 0 || (!header.task.empty() && !header.wholeTime));
}

/// Everything in front of a time's colon.
bool parseColumns(std::string_view columns, TextHeader& header, TextColumnCache* cache) {
    TextHeader time;
    BackwardCursor cursor(columns);
    if (cursor.last() == ')') {
        header = TextHeader{};
        return parseVerbose(cursor, header);
    }
    if (!takeTime(cursor, time) || (!cursor.skipBlanks() && cursor.last() != ']'))
        return false;
    const TextHeader* known = cache == nullptr ? nullptr : cache->find(cursor.rest());
    if (known != nullptr) [[likely]] {
        header = *known;
        header.time = time.time;
        header.wholeTime = time.wholeTime;
        return true;
    }
    header = time;
    if (!parseTask(cursor, header))
        return false;
    if (cache != nullptr && header.cpu >= 0) // without a CPU the time's form counts too
        cache->keep(cursor.rest(), header);
    return true;
}

/// Steps over perf's period ("1008373 cycles:") and trace-cmd's time since the last event
/// ("(+44)").
std::string_view withoutCounts(std::string_view text) {
    text = withoutLeadingBlanks(text);
    std::string_view rest = text;
    std::uint64_t number = 0;
    if (takeText(rest, "(+") && takeDecimal(rest, number) && takeText(rest, ")"))
        return withoutLeadingBlanks(rest);
    rest = text;
    if (takeDecimal(rest, number) && !rest.empty() && isBlank(rest.front()))
        return withoutLeadingBlanks(rest);
    return text;
}

/// "NAME:" in front of a blank, the usual case; false, with nothing set, if it is any other or near
/// the line's end.
bool parseMarkedName(std::string_view text, TextLine& line) {
    for (std::size_t at = 0; at + EightCharacters::kCount <= text.size();
         at += EightCharacters::kCount) {
        const EightCharacters characters(text.data() + at);
        const std::uint64_t blanks = characters.blankMarks();
        if (const std::uint64_t brackets = characters.marksOf('(');
            brackets != 0 && EightCharacters::firstOf(brackets) < EightCharacters::firstOf(blanks))
            return false; // a system call's
        if (blanks == 0)
            continue;
        const std::size_t end = at + EightCharacters::firstOf(blanks);
        if (end < 2 || text[end - 1] != ':')
            return false;
        line.shape = NameShape::Named;
        line.name = text.substr(0, end - 1);
        line.body = text.substr(end);
        return true;
    }
    return false;
}

/// The name behind the time. Sets `line` but for its header.
void parseName(std::string_view text, TextLine& line) {
    text = withoutCounts(text);
    if (parseMarkedName(text, line)) [[likely]]
        return;
    std::size_t word = 0;
    while (word < text.size() && isWordCharacter(text[word]))
        ++word;
    std::size_t end = word;
    while (end < text.size() && !isBlank(text[end]))
        ++end;
    line.name = text.substr(0, word);
    line.body = text.substr(word);
    if (word > 0 && text.substr(word).starts_with("(")) {
        line.shape = NameShape::Syscall;
    } else if (end > 1 && text[end - 1] == ':') {
        line.shape = NameShape::Named;
        line.name = text.substr(0, end - 1);
        line.body = text.substr(end);
    } else if (word > 0 && text.substr(word).starts_with(" <-")) {
        line.shape = NameShape::Function;
    } else if (word > 0 &&
               (text.substr(word).starts_with("(") || text.substr(word).starts_with(" -> 0x"))) {
        line.shape = NameShape::Syscall;
    } else if (word > 0 && word == end && !isDigit(text.front())) {
        line.shape = NameShape::Unmarked;
    } else {
        line.shape = NameShape::Text;
        line.name = {};
        line.body = text;
    }
}

} // namespace

bool LineReader::next(std::string_view& line) {
    if (next_ >= text_.size())
        return false;
    begin_ = next_;
    const void* found = std::memchr(text_.data() + begin_, '\n', text_.size() - begin_);
    whole_ = found != nullptr;
    const std::size_t end =
        whole_ ? static_cast<std::size_t>(static_cast<const char*>(found) - text_.data())
               : text_.size();
    next_ = whole_ ? end + 1 : end;
    line = text_.substr(begin_, end - begin_);
    if (line.ends_with('\r'))
        line.remove_suffix(1);
    return true;
}

std::size_t TextColumnCache::slotOf(std::string_view columns) {
    std::uint64_t last[2] = {columns.size(), 0}; // usually the task's number and the CPU
    if (columns.size() >= sizeof last)
        std::memcpy(last, columns.data() + columns.size() - sizeof last, sizeof last);
    return ((last[0] ^ std::rotl(last[1], 20)) * 0x9e3779b97f4a7c15U) >> 58;
}

bool parseTextLine(std::string_view line, TextLine& out, TextColumnCache* cache) {
    constexpr int kMostCandidates = 4; // each costs as much as the line is long
    TextLine first;                    // the first that is not certain
    int found = 0;
    for (std::size_t colon = line.find(':'); colon != std::string_view::npos;
         colon = line.find(':', colon + 1)) {
        if (colon == 0 || (colon + 1 < line.size() && !isBlank(line[colon + 1])) ||
            !parseColumns(line.substr(0, colon), out.header, cache))
            continue;
        parseName(line.substr(colon + 1), out);
        if (out.shape < NameShape::Unmarked) [[likely]]
            return true;
        if (found == 0)
            first = out;
        if (++found == kMostCandidates)
            break;
    }
    if (found > 0)
        out = first;
    return found > 0;
}

bool parseLossLine(std::string_view line, TextLoss& out) {
    std::string_view rest = withoutLeadingBlanks(line);
    std::uint64_t cpu = 0;
    if (!takeText(rest, "CPU:") || !takeDecimal(rest, cpu) || cpu >= kMostCpus ||
        !takeText(rest, " ["))
        return false;
    out = TextLoss{static_cast<std::int32_t>(cpu), false, 0};
    const bool lostFirst = takeText(rest, "LOST ");
    out.counted = takeDecimal(rest, out.count) && takeText(rest, " ");
    return takeText(rest, lostFirst ? "EVENTS]" : "EVENTS DROPPED]");
}

bool isPlaceholderTask(std::string_view name) {
    if (name.empty() || name.front() == '<')
        return true;
    return name.front() == ':' &&
           std::ranges::all_of(name.substr(1), [](char c) { return isDigit(c) || c == '-'; });
}

} // namespace inversight
