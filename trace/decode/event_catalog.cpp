// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/decode/event_catalog.h"

#include <fmt/format.h>

#include <algorithm>

namespace inversight {

namespace {

constexpr std::size_t kMostFormatWarnings = 20;

/// The common fields; Corrupt if an event has no thread.
Result<CatalogType> commonFields(const EventFormat& format) {
    FieldFinder find(format);
    CatalogType type;
    type.tid = find.integer("common_pid");
    type.flags = find.optionalInteger("common_flags");
    type.preemptCount = find.optionalInteger("common_preempt_count");
    // Read before the type is known, at the place all formats share.
    if (!find.integer("common_type").present())
        return std::unexpected(Error{ErrorCode::Corrupt, "field \"common_type\" is missing"});
    type.headerSize = TRY(find.minimumSize());
    return type;
}

/// Keeps a hostile file's warnings few.
void warn(std::vector<std::string>& warnings, std::string text) {
    if (warnings.size() < kMostFormatWarnings)
        warnings.push_back(std::move(text));
}

} // namespace

EventCatalog::EventCatalog() : byRawId_(1 << 16, kNoType) {}

EventCatalog EventCatalog::build(std::span<const FormatText> formats,
                                 std::vector<std::string>& warnings) {
    EventCatalog catalog;
    std::vector<std::string> found;
    for (const FormatText& text : formats)
        catalog.add(text, found);
    catalog.finish();
    std::ranges::move(found, std::back_inserter(warnings));
    return catalog;
}

void EventCatalog::add(const FormatText& text, std::vector<std::string>& warnings) {
    const Result<EventFormat> format = parseEventFormat(text.text);
    if (!format)
        return warn(warnings, fmt::format("an event of system \"{}\" has an unreadable format: {}",
                                          text.system, format.error().sentence()));
    if (byRawId_[format->id] != kNoType)
        return; // trace-cmd saves some formats twice
    Result<CatalogType> type = commonFields(*format);
    if (!type)
        return warn(warnings, fmt::format("event {}:{} cannot be read: {}", text.system,
                                          format->name, type.error().what));
    type->formatText = text.text;
    if (types_.empty())
        rawId_ = FieldFinder(*format).integer("common_type");
    type->info = {format->id, std::string(text.system), std::string(format->name),
                  EventKind::Other};
    Result<CompiledPlan> plan = compilePlan(text.system, *format);
    if (!plan)
        warn(warnings, fmt::format("event {}:{} is shown without its fields: {}", text.system,
                                   format->name, plan.error().sentence()));
    if (plan && plan->kind != EventKind::Other) {
        type->info.kind = plan->kind;
        type->plan = std::move(plan->fields);
        type->planSize = plan->minimumSize;
        const auto* switchPlan = std::get_if<SwitchPlan>(&type->plan);
        if (switchPlan != nullptr && switchPlan->states.statesAreIndices())
            warn(warnings, "states of this 4.14 kernel were decoded as index");
    }
    if (format->printFormatDamaged)
        warn(warnings,
             fmt::format("event {}:{} has a damaged print format: a string in it does not "
                         "end",
                         text.system, format->name));
    byRawId_[format->id] = static_cast<std::uint16_t>(types_.size());
    types_.push_back(*std::move(type));
}

void EventCatalog::finish() {
    CatalogType unknown;
    if (!types_.empty()) {
        unknown = types_.front();
        unknown.plan = std::monostate();
        unknown.planSize = 0;
        unknown.formatText = {};
    }
    unknown.info = {0, "", "unknown event", EventKind::Other};
    types_.push_back(std::move(unknown));
    const auto last = static_cast<std::uint16_t>(types_.size() - 1);
    std::ranges::replace(byRawId_, kNoType, last);
}

} // namespace inversight
