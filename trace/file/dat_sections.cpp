// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/file/dat_sections.h"

#include <fmt/format.h>

namespace inversight {

using namespace std::string_view_literals;

Result<void> DatSections::readInitial() {
    cursor_.enter("initial format");
    const std::uint8_t order = TRY(cursor_.u8("the byte order"));
    if (order > 1)
        return std::unexpected(cursor_.error(
            ErrorCode::Corrupt, fmt::format("expected a byte order of 0 or 1, found {}", order)));
    file_.order = order == 0 ? ByteOrder::Little : ByteOrder::Big;
    cursor_.setByteOrder(file_.order);
    file_.longSize = TRY(cursor_.u8("the size of a long"));
    if (file_.longSize != 4 && file_.longSize != 8)
        return std::unexpected(cursor_.error(
            ErrorCode::Corrupt,
            fmt::format("expected a long of 4 or 8 bytes, found {}", file_.longSize)));
    file_.pageSize = TRY(cursor_.u32("the page size"));
    file_.layout.pageSize = file_.pageSize;
    return {};
}

Result<void> DatSections::readHeaders() {
    cursor_.enter("header_page");
    TRY(cursor_.expect("header_page\0"sv, "the name \"header_page\""));
    const std::uint64_t size = TRY(cursor_.u64("the size of header_page"));
    const std::string_view text = TRY(cursor_.text(size, "the text of header_page"));
    const std::uint32_t pageSize = file_.pageSize;
    const auto longSize = static_cast<std::uint32_t>(file_.longSize);
    const auto layout = text.empty() ? PageLayout::withoutHeader(file_.order, pageSize, longSize)
                                     : PageLayout::parse(text, file_.order, pageSize);
    file_.headerPage = text;
    if (!layout)
        return std::unexpected(cursor_.error(layout.error().code, layout.error().what));
    file_.layout = *layout;

    cursor_.enter("header_event");
    TRY(cursor_.expect("header_event\0"sv, "the name \"header_event\""));
    const std::uint64_t eventSize = TRY(cursor_.u64("the size of header_event"));
    file_.headerEvent = TRY(cursor_.text(eventSize, "the text of header_event"));
    return {};
}

Result<void> DatSections::readFormats(std::string_view system, std::uint32_t count) {
    constexpr std::size_t kMostFormats = 60000;
    for (std::uint32_t index = 0; index < count; ++index) {
        const std::uint64_t size = TRY(cursor_.u64("the size of an event's format"));
        file_.formats.push_back({system, TRY(cursor_.text(size, "an event's format"))});
        if (file_.formats.size() > kMostFormats)
            return std::unexpected(
                cursor_.error(ErrorCode::Unsupported,
                              fmt::format("expected at most {} event formats", kMostFormats)));
    }
    return {};
}

Result<void> DatSections::readFtraceFormats() {
    cursor_.enter("ftrace event formats");
    return readFormats("ftrace", TRY(cursor_.u32("the number of ftrace events")));
}

Result<void> DatSections::readEventFormats() {
    cursor_.enter("event formats");
    const std::uint32_t systems = TRY(cursor_.u32("the number of event systems"));
    for (std::uint32_t index = 0; index < systems; ++index) {
        const std::string_view system = TRY(cursor_.terminatedText("an event system's name"));
        TRY(readFormats(system, TRY(cursor_.u32("the number of events of a system"))));
    }
    return {};
}

Result<void> DatSections::readKallsyms() {
    cursor_.enter("kallsyms");
    const std::uint32_t size = TRY(cursor_.u32("the size of kallsyms"));
    file_.kallsyms = TRY(cursor_.text(size, "the text of kallsyms"));
    return {};
}

Result<void> DatSections::readPrintkFormats() {
    cursor_.enter("printk_formats");
    const std::uint32_t size = TRY(cursor_.u32("the size of printk_formats"));
    file_.printkFormats = TRY(cursor_.text(size, "the text of printk_formats"));
    return {};
}

Result<void> DatSections::readSavedCmdlines() {
    cursor_.enter("saved_cmdlines");
    const std::uint64_t size = TRY(cursor_.u64("the size of saved_cmdlines"));
    file_.savedCmdlines = TRY(cursor_.text(size, "the text of saved_cmdlines"));
    return {};
}

} // namespace inversight
