// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/decode/event_printer.h"

#include "trace/decode/field_listing.h"

#include <fmt/format.h>

#include <iterator>

namespace inversight {

namespace {

void appendUnknown(std::optional<std::uint64_t> rawId, std::span<const std::byte> record,
                   std::string& out) {
    out += "unknown event";
    if (rawId)
        fmt::format_to(std::back_inserter(out), " {}", *rawId);
    out += ": ";
    appendHexBytes(record, out);
}

} // namespace

EventPrinter::EventPrinter(const EventCatalog& catalog, ByteOrder order, int longSize,
                           std::string_view kallsyms, std::string_view printkFormats)
    : catalog_(catalog), order_(order), longSize_(longSize == 4 ? 4 : 8),
      names_(kallsyms, printkFormats), types_(new Type[catalog.types().size()]) {}

void EventPrinter::make(std::size_t index, Type& type) const {
    const CatalogType& entry = catalog_.types()[index];
    // The catalog has parsed this text before: it is understood.
    Result<EventFormat> format = parseEventFormat(entry.formatText);
    if (!format)
        return;
    type.format = *std::move(format);
    type.special = findSpecialPrint(entry.info.system, entry.info.name);
    Result<PrintFormat> print = PrintFormat::parse(type.format, longSize_);
    if (print)
        type.print = *std::move(print);
    else
        type.refusal = print.error().sentence();
}

const EventPrinter::Type& EventPrinter::typeAt(std::size_t index) const {
    Type& type = types_[index];
    std::call_once(type.made, [&] { make(index, type); });
    return type;
}

std::string EventPrinter::refusal(std::uint16_t rawId) const {
    return typeAt(catalog_.indexOf(rawId)).refusal;
}

void EventPrinter::append(std::span<const std::byte> record, std::string& out) const {
    const IntegerField idField = catalog_.rawIdField();
    if (record.size() < idField.offset + idField.size)
        return appendUnknown(std::nullopt, record, out);
    const auto rawId = static_cast<std::uint16_t>(idField.load(record.data(), order_));
    const std::size_t index = catalog_.indexOf(rawId);
    if (index == catalog_.unknownType())
        return appendUnknown(rawId, record, out);
    const Type& type = typeAt(index);
    const PrintContext context{record, order_, longSize_, &names_};
    const std::size_t begin = out.size();
    const bool done = (type.special != nullptr && type.special(type.format, context, out)) ||
                      (type.print && type.print->append(context, out));
    if (!done)
        appendFields(type.format, context, out);
    if (out.size() > begin && out.back() == '\n')
        out.pop_back();
}

} // namespace inversight
