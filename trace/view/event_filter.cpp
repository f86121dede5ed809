// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/view/event_filter.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

namespace inversight {

namespace {

char lowered(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string loweredText(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), lowered);
    return out;
}

bool isSpace(char c) {
    return c == ' ' || c == '\t' || c == '\n';
}

/// "1.5s", "20ms", "7": a time from the first event, in ns (or ticks where no unit is given and the
/// clock has none). No unit means seconds.
std::optional<std::int64_t> parseOffset(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || !std::isfinite(value))
        return std::nullopt;
    const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
    const double scale = unit.empty() || unit == "s" ? 1e9
                         : unit == "ms"              ? 1e6
                         : unit == "us"              ? 1e3
                         : unit == "ns"              ? 1
                                                     : 0;
    if (scale == 0 || std::abs(value * scale) > 9e18)
        return std::nullopt;
    return static_cast<std::int64_t>(std::llround(value * scale));
}

} // namespace

bool containsLower(std::string_view text, std::string_view lowerPart) {
    const auto same = [](char a, char b) { return lowered(a) == b; };
    return std::search(text.begin(), text.end(), lowerPart.begin(), lowerPart.end(), same) !=
           text.end();
}

/// Recursive descent over the expression's characters; its depth is bounded.
class EventFilterParser {
public:
    using Filter = EventFilter;

    EventFilterParser(std::string_view text, const TraceStore& store)
        : text_(text), store_(store), filter_(store) {}

    Result<EventFilter> parse() {
        skipSpace();
        if (at_ == text_.size())
            return std::move(filter_);
        TRY(parseOr(0));
        if (at_ != text_.size())
            return std::unexpected(problem("a condition"));
        return std::move(filter_);
    }

private:
    static constexpr int kMaxDepth = 64;
    using Node = EventFilter::Node;
    using Field = EventFilter::Field;
    using Compare = EventFilter::Compare;

    struct FieldName {
        std::string_view name;
        Field field;
    };
    static constexpr std::array kFields{
        FieldName{"name", Field::Name},   FieldName{"event", Field::Name},
        FieldName{"cpu", Field::Cpu},     FieldName{"tid", Field::Tid},
        FieldName{"pid", Field::Tid},     FieldName{"thread", Field::Thread},
        FieldName{"comm", Field::Thread}, FieldName{"time", Field::Time},
        FieldName{"text", Field::Text},
    };

    [[nodiscard]] Error problem(const std::string& expected) const {
        return {ErrorCode::InvalidArgument, "the filter should have " + expected + " here",
                "character " + std::to_string(at_ + 1),
                "for example: name=sched_switch cpu=0, or: tid=1234 or text~low"};
    }

    void skipSpace() {
        while (at_ < text_.size() && isSpace(text_[at_]))
            ++at_;
    }
    bool takeWord(std::string_view word) {
        const bool there = text_.substr(at_, word.size()) == word;
        const std::size_t end = at_ + word.size();
        if (!there || (end < text_.size() && !isSpace(text_[end]) && text_[end] != '('))
            return false;
        at_ = end;
        skipSpace();
        return true;
    }
    bool takeSign(char sign) {
        if (at_ >= text_.size() || text_[at_] != sign)
            return false;
        ++at_;
        skipSpace();
        return true;
    }
    std::size_t add(Node node) {
        filter_.nodes_.push_back(std::move(node));
        return filter_.nodes_.size() - 1;
    }
    std::size_t join(Field field, std::size_t left, std::size_t right) {
        // What needs no text is asked first.
        if (filter_.nodes_[left].needsText && !filter_.nodes_[right].needsText)
            std::swap(left, right);
        Node node;
        node.field = field;
        node.left = left;
        node.right = right;
        node.needsText = filter_.nodes_[left].needsText || filter_.nodes_[right].needsText;
        return add(std::move(node));
    }

    Result<std::size_t> parseOr(int depth) {
        std::size_t left = TRY(parseAnd(depth));
        while (takeWord("or") || takeSign('|'))
            left = join(Field::Or, left, TRY(parseAnd(depth)));
        return left;
    }
    Result<std::size_t> parseAnd(int depth) {
        std::size_t left = TRY(parseNot(depth));
        while (at_ < text_.size() && text_[at_] != ')' && text_[at_] != '|' && !nextIsOr()) {
            (void)(takeWord("and") || takeSign('&'));
            left = join(Field::And, left, TRY(parseNot(depth)));
        }
        return left;
    }
    [[nodiscard]] bool nextIsOr() const {
        return text_.substr(at_, 2) == "or" &&
               (at_ + 2 == text_.size() || isSpace(text_[at_ + 2]) || text_[at_ + 2] == '(');
    }
    Result<std::size_t> parseNot(int depth) {
        if (depth > kMaxDepth)
            return std::unexpected(problem("fewer parentheses"));
        if (takeWord("not") || takeSign('!')) {
            const std::size_t inner = TRY(parseNot(depth + 1));
            return join(Field::Not, inner, inner);
        }
        if (takeSign('(')) {
            const std::size_t inner = TRY(parseOr(depth + 1));
            if (!takeSign(')'))
                return std::unexpected(problem("a closing parenthesis"));
            return inner;
        }
        return parseTerm();
    }

    Result<std::size_t> parseTerm() {
        const std::size_t begin = at_;
        for (const FieldName& each : kFields) {
            if (text_.substr(at_, each.name.size()) != each.name)
                continue;
            at_ += each.name.size();
            if (const std::string_view sign = takeOperator(); !sign.empty())
                return parseCondition(each.field, sign);
            at_ = begin;
        }
        return addAnywhere(TRY(parseValue()));
    }
    std::string_view takeOperator() {
        for (const std::string_view sign : {"!=", "<=", ">=", "=", "<", ">", "~"}) {
            if (text_.substr(at_, sign.size()) == sign) {
                at_ += sign.size();
                return sign;
            }
        }
        return {};
    }
    Result<std::string> parseValue() {
        if (at_ < text_.size() && text_[at_] == '"') {
            const std::size_t end = text_.find('"', at_ + 1);
            if (end == std::string_view::npos)
                return std::unexpected(problem("a closing quotation mark"));
            std::string value(text_.substr(at_ + 1, end - at_ - 1));
            at_ = end + 1;
            skipSpace();
            return value;
        }
        const std::size_t begin = at_;
        while (at_ < text_.size() && !isSpace(text_[at_]) && text_[at_] != ')' && text_[at_] != '|')
            ++at_;
        if (at_ == begin)
            return std::unexpected(problem("a value"));
        std::string value(text_.substr(begin, at_ - begin));
        skipSpace();
        return value;
    }

    Result<std::size_t> parseCondition(Field field, std::string_view sign) {
        const std::size_t place = at_;
        const std::string value = TRY(parseValue());
        const auto fail = [&](const std::string& expected) {
            at_ = place;
            return std::unexpected(problem(expected));
        };
        if (field == Field::Name || field == Field::Thread || field == Field::Text) {
            if (sign != "~" && sign != "=" && sign != "!=")
                return fail("=, != or ~ before a text");
            return addText(field, sign, loweredText(value));
        }
        if (sign == "~")
            return fail("= or < before a number");
        Node node;
        node.field = field;
        node.compare = compareOf(sign);
        if (field == Field::Time) {
            const auto offset = parseOffset(value);
            if (!offset)
                return fail("a time such as 1.5s or 20ms");
            node.number = store_.range().begin + *offset;
        } else if (std::from_chars(value.data(), value.data() + value.size(), node.number).ec !=
                   std::errc{}) {
            return fail("a number");
        }
        return add(std::move(node));
    }
    static Compare compareOf(std::string_view sign) {
        return sign == "="    ? Compare::Equal
               : sign == "!=" ? Compare::Unequal
               : sign == "<"  ? Compare::Less
               : sign == "<=" ? Compare::LessEqual
               : sign == ">"  ? Compare::Greater
                              : Compare::GreaterEqual;
    }

    Result<std::size_t> addText(Field field, std::string_view sign, std::string value) {
        Node node;
        node.field = field;
        const bool whole = sign != "~";
        const auto matches = [&](std::string_view text) {
            return whole ? loweredText(text) == value : containsLower(text, value);
        };
        if (field == Field::Name)
            node.types = matchingTypes(matches);
        else if (field == Field::Thread)
            node.threads = matchingThreads(matches);
        node.needsText = field == Field::Text;
        node.text = std::move(value); // a whole text is rarely known: it is searched for
        const std::size_t term = add(std::move(node));
        return sign == "!=" ? join(Field::Not, term, term) : term;
    }
    std::size_t addAnywhere(const std::string& value) {
        Node node;
        node.field = Field::Any;
        node.needsText = true;
        node.text = loweredText(value);
        const auto matches = [&](std::string_view text) { return containsLower(text, node.text); };
        node.types = matchingTypes(matches);
        node.threads = matchingThreads(matches);
        return add(std::move(node));
    }
    template <class Matches>
    std::vector<bool> matchingTypes(const Matches& matches) const {
        std::vector<bool> types;
        for (const EventTypeInfo& type : store_.types())
            types.push_back(matches(type.name));
        return types;
    }
    template <class Matches>
    std::vector<bool> matchingThreads(const Matches& matches) const {
        std::vector<bool> threads;
        for (std::uint32_t i = 0; i < store_.threads().size(); ++i)
            threads.push_back(matches(store_.threadName(ThreadId{i})));
        return threads;
    }

    std::string_view text_;
    const TraceStore& store_;
    EventFilter filter_;
    std::size_t at_ = 0;
};

Result<EventFilter> EventFilter::parse(std::string_view expression, const TraceStore& store) {
    return EventFilterParser(expression, store).parse();
}

bool EventFilter::needsText() const {
    return !nodes_.empty() && nodes_.back().needsText;
}

bool EventFilter::matches(EventIndex event, const TextOf& text) const {
    return nodes_.empty() || evaluate(nodes_.size() - 1, event, text);
}

bool EventFilter::threadMatches(const Node& node, EventIndex event) const {
    const ThreadId thread = store_->thread(event);
    return thread.valid() && node.threads[thread.index()];
}

bool EventFilter::textMatches(const Node& node, EventIndex event, const TextOf& text) const {
    thread_local std::string printed;
    printed.clear();
    text(event, printed);
    return containsLower(printed, node.text);
}

bool EventFilter::evaluate(std::size_t index, EventIndex event, const TextOf& text) const {
    const Node& node = nodes_[index];
    const auto compare = [&node](std::int64_t value) {
        switch (node.compare) {
        case Compare::Equal:
            return value == node.number;
        case Compare::Unequal:
            return value != node.number;
        case Compare::Less:
            return value < node.number;
        case Compare::LessEqual:
            return value <= node.number;
        case Compare::Greater:
            return value > node.number;
        case Compare::GreaterEqual:
            return value >= node.number;
        }
        return false;
    };
    switch (node.field) {
    case Field::And:
        return evaluate(node.left, event, text) && evaluate(node.right, event, text);
    case Field::Or:
        return evaluate(node.left, event, text) || evaluate(node.right, event, text);
    case Field::Not:
        return !evaluate(node.left, event, text);
    case Field::Name:
        return node.types[store_->type(event).index()];
    case Field::Cpu:
        return compare(store_->cpu(event));
    case Field::Tid:
        return compare(store_->tid(event));
    case Field::Time:
        return compare(store_->time(event));
    case Field::Thread:
        return threadMatches(node, event);
    case Field::Text:
        return textMatches(node, event, text);
    case Field::Any:
        return node.types[store_->type(event).index()] || threadMatches(node, event) ||
               textMatches(node, event, text);
    }
    return false;
}

} // namespace inversight
