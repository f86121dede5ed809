// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/decode/print_pointer.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <array>
#include <iterator>

namespace inversight {

namespace {

using Kind = PrintConversion::Kind;
using Bytes = std::span<const std::byte>;

template <class... Arguments>
void append(std::string& out, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(out), format, std::forward<Arguments>(arguments)...);
}
unsigned number(std::byte byte) {
    return std::to_integer<unsigned>(byte);
}

bool appendMac(const PrintConversion& conversion, Bytes bytes, std::string& out) {
    constexpr std::size_t kSize = 6;
    if (bytes.size() < kSize)
        return false;
    const char* separator = conversion.modifiers.front() == 'm' ? ""
                            : conversion.has('F')               ? "-"
                                                                : ":";
    for (std::size_t index = 0; index < kSize; ++index)
        append(out, "{}{:02x}", index == 0 ? "" : separator,
               number(bytes[conversion.has('R') ? kSize - 1 - index : index]));
    return true;
}

bool appendIp4(const PrintConversion& conversion, Bytes bytes, std::string& out) {
    if (bytes.size() < 4)
        return false;
    const bool reversed =
        conversion.has('l') || (conversion.has('h') && kHostByteOrder == ByteOrder::Little);
    const bool filled = conversion.modifiers.front() == 'i';
    for (std::size_t index = 0; index < 4; ++index) {
        const unsigned part = number(bytes[reversed ? 3 - index : index]);
        append(out, "{}", index == 0 ? "" : ".");
        if (filled)
            append(out, "{:03}", part);
        else
            append(out, "{}", part);
    }
    return true;
}

/// RFC 5952, as the kernel's ip6_compressed_string().
void appendCompressedIp6(Bytes bytes, std::string& out) {
    std::array<char, INET6_ADDRSTRLEN> text{};
    if (inet_ntop(AF_INET6, bytes.data(), text.data(), text.size()) != nullptr)
        out += text.data();
}

bool appendIp6(const PrintConversion& conversion, Bytes bytes, std::string& out) {
    constexpr std::size_t kSize = 16;
    if (bytes.size() < kSize)
        return false;
    if (conversion.has('c') && conversion.modifiers.front() == 'I') {
        appendCompressedIp6(bytes, out);
        return true;
    }
    const bool colons = conversion.modifiers.front() == 'I';
    for (std::size_t index = 0; index < kSize; index += 2)
        append(out, "{}{:02x}{:02x}", colons && index > 0 ? ":" : "", number(bytes[index]),
               number(bytes[index + 1]));
    return true;
}

/// struct sockaddr_in or sockaddr_in6, whose port and address are in network order.
bool appendSocket(const PrintConversion& conversion, Bytes bytes, ByteOrder order,
                  std::string& out) {
    constexpr std::uint16_t kInet = 2;
    constexpr std::uint16_t kInet6 = 10; // of Linux, whatever the host's
    if (bytes.size() < 8)
        return false;
    const auto family = loadInteger<std::uint16_t>(bytes.data(), order);
    const bool withPort = conversion.has('p');
    if (family == kInet) {
        PrintConversion plain = conversion;
        plain.modifiers = conversion.modifiers.substr(0, 1);
        if (!appendIp4(plain, bytes.subspan(4), out))
            return false;
    } else if (family == kInet6) {
        if (bytes.size() < 24)
            return false;
        out += withPort ? "[" : "";
        if (!appendIp6(conversion, bytes.subspan(8), out))
            return false;
        out += withPort ? "]" : "";
    } else {
        return false;
    }
    if (withPort)
        append(out, ":{}", loadInteger<std::uint16_t>(bytes.data() + 2, ByteOrder::Big));
    return true;
}

bool appendUuid(const PrintConversion& conversion, Bytes bytes, std::string& out) {
    static constexpr std::array<std::size_t, 16> kBig = {0, 1, 2,  3,  4,  5,  6,  7,
                                                         8, 9, 10, 11, 12, 13, 14, 15};
    static constexpr std::array<std::size_t, 16> kLittle = {3, 2, 1,  0,  5,  4,  7,  6,
                                                            8, 9, 10, 11, 12, 13, 14, 15};
    if (bytes.size() < kBig.size())
        return false;
    const bool little = conversion.has('l') || conversion.has('L');
    const bool uppercase = conversion.has('L') || conversion.has('B');
    for (std::size_t index = 0; index < kBig.size(); ++index) {
        const unsigned part = number(bytes[(little ? kLittle : kBig)[index]]);
        out += index == 4 || index == 6 || index == 8 || index == 10 ? "-" : "";
        if (uppercase)
            append(out, "{:02X}", part);
        else
            append(out, "{:02x}", part);
    }
    return true;
}

void appendDump(const PrintConversion& conversion, Bytes bytes, std::int64_t count,
                std::string& out) {
    const char* separator = conversion.has('C')   ? ":"
                            : conversion.has('D') ? "-"
                            : conversion.has('N') ? ""
                                                  : " ";
    const std::size_t size = std::min(bytes.size(), static_cast<std::size_t>(count));
    for (std::size_t index = 0; index < size; ++index)
        append(out, "{}{:02x}", index == 0 ? "" : separator, number(bytes[index]));
}

bool appendBytes(const PrintConversion& conversion, Bytes bytes, const PrintContext& context,
                 std::int64_t count, std::string& out) {
    switch (conversion.kind) {
    case Kind::Mac:
        return appendMac(conversion, bytes, out);
    case Kind::Ip4:
        return appendIp4(conversion, bytes, out);
    case Kind::Ip6:
        return appendIp6(conversion, bytes, out);
    case Kind::Socket:
        return appendSocket(conversion, bytes, context.order, out);
    case Kind::Uuid:
        return appendUuid(conversion, bytes, out);
    case Kind::Dump:
        appendDump(conversion, bytes, count, out);
        return true;
    case Kind::Referred:
        if (bytes.size() < context.longSize)
            return false;
        append(out, "0x{:x}",
               context.longSize == 8 ? loadInteger<std::uint64_t>(bytes.data(), context.order)
                                     : loadInteger<std::uint32_t>(bytes.data(), context.order));
        return true;
    default: // the address of something in the record: where that was is not known any more
        return false;
    }
}

} // namespace

void appendSymbol(std::uint64_t address, const KernelNames* names, bool withOffset,
                  std::string& out) {
    const auto symbol = names != nullptr ? names->symbol(address) : std::nullopt;
    if (!symbol)
        return append(out, "0x{:x}", address);
    out += symbol->name;
    if (withOffset)
        append(out, "+0x{:x}", symbol->offset);
}

bool appendPointer(const PrintConversion& conversion, const PrintValue& value,
                   const PrintContext& context, std::int64_t count, std::string& out) {
    if (value.isBytes)
        return appendBytes(conversion, context.record.subspan(value.begin, value.size), context,
                           count, out);
    const std::uint64_t address = value.integer.bits;
    switch (conversion.kind) {
    case Kind::Address:
        append(out, "0x{:x}", address);
        return true;
    case Kind::Symbol: {
        const char letter = conversion.modifiers.front();
        appendSymbol(address, context.names, letter != 's' && letter != 'f', out);
        return true;
    }
    default: // what it points to was in the kernel's memory
        return false;
    }
}

} // namespace inversight
