// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/event/marker.h"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace inversight {

namespace {

/// Appends to a fixed buffer; what does not fit is left out.
class Writer {
public:
    explicit Writer(MarkerCodec::Buffer& buffer) : buffer_(buffer) {}

    Writer& raw(std::string_view text) {
        const std::size_t count = std::min(text.size(), buffer_.size() - size_);
        std::memcpy(buffer_.data() + size_, text.data(), count);
        size_ += count;
        return *this;
    }
    Writer& escaped(std::string_view text) {
        for (const char c : text) {
            switch (c) {
            case '%':
                raw("%25");
                break;
            case '|':
                raw("%7C");
                break;
            case '\n':
                raw("%0A");
                break;
            case '\r':
                raw("%0D");
                break;
            default:
                raw({&c, 1});
            }
        }
        return *this;
    }
    template <class Integer>
    Writer& number(Integer value, int base = 10) {
        std::array<char, 24> digits;
        const auto end = std::to_chars(digits.begin(), digits.end(), value, base).ptr;
        return raw({digits.data(), static_cast<std::size_t>(end - digits.data())});
    }
    [[nodiscard]] std::string_view text() const { return {buffer_.data(), size_}; }

private:
    MarkerCodec::Buffer& buffer_;
    std::size_t size_ = 0;
};

/// Writes the part behind "X|tgid".
struct BodyWriter {
    Writer& out;

    void operator()(const WaitBegin& m) const { out.raw("|wait ").escaped(m.lock); }
    void operator()(const TransferBegin& m) const {
        // The operation is the last word, so the bus' name may hold spaces.
        out.raw("|xfer ").escaped(m.bus).raw(" ").escaped(m.operation);
    }
    void operator()(const SliceEnd&) const {}
    void operator()(const OtherSliceBegin& m) const { out.raw("|").escaped(m.name); }
    void operator()(const HoldBegin& m) const { hold(m.lock, m.cookie); }
    void operator()(const HoldEnd& m) const { hold(m.lock, m.cookie); }
    void operator()(const Release& m) const {
        out.raw("|release ").number(m.index).raw(" planned=").number(m.plannedNs);
    }
    void operator()(const LockAnnouncement& m) const {
        out.raw("|lock ").escaped(m.lock).raw(" addr=0x").number(m.address, 16).raw(" kind=");
        out.raw(m.kind == LockAddressKind::Futex ? "futex" : "kernel");
    }
    void operator()(const ManifestPart& m) const {
        out.raw("|inversight.manifest ").number(m.index).raw("/").number(m.count).raw(" ");
        out.escaped(m.text);
    }
    void operator()(const Note& m) const { out.raw("|").escaped(m.text); }

private:
    void hold(std::string_view lock, std::uint64_t cookie) const {
        out.raw("|hold ").escaped(lock).raw("|").number(cookie);
    }
};

struct KindLetter {
    char operator()(const WaitBegin&) const { return 'B'; }
    char operator()(const TransferBegin&) const { return 'B'; }
    char operator()(const OtherSliceBegin&) const { return 'B'; }
    char operator()(const SliceEnd&) const { return 'E'; }
    char operator()(const HoldBegin&) const { return 'S'; }
    char operator()(const HoldEnd&) const { return 'F'; }
    char operator()(const Release&) const { return 'I'; }
    char operator()(const LockAnnouncement&) const { return 'I'; }
    char operator()(const ManifestPart&) const { return 'I'; }
    char operator()(const Note&) const { return 'I'; }
};

bool takePrefix(std::string_view& text, std::string_view prefix) {
    if (!text.starts_with(prefix))
        return false;
    text.remove_prefix(prefix.size());
    return true;
}

template <class Integer>
bool parseNumber(std::string_view text, Integer& value, int base = 10) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    return error == std::errc{} && end == text.data() + text.size() && !text.empty();
}

int hexDigit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return -1;
}

/// `text` as it is without escapes; else unescaped into `storage` (reserved: views into it stay).
/// A '%' that no two hex digits follow stands for itself: other tools do not escape.
std::string_view unescape(std::string_view text, std::string& storage) {
    if (text.find('%') == std::string_view::npos)
        return text;
    const std::size_t begin = storage.size();
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool escape = text[i] == '%' && i + 2 < text.size() && hexDigit(text[i + 1]) >= 0 &&
                            hexDigit(text[i + 2]) >= 0;
        if (!escape) {
            storage += text[i];
            continue;
        }
        storage += static_cast<char>(hexDigit(text[i + 1]) * 16 + hexDigit(text[i + 2]));
        i += 2;
    }
    return std::string_view(storage).substr(begin);
}

std::optional<MarkerBody> decodeSlice(std::string_view text, std::string& storage) {
    std::string_view rest = text;
    if (takePrefix(rest, "wait ") && !rest.empty())
        return WaitBegin{unescape(rest, storage)};
    rest = text;
    if (takePrefix(rest, "xfer ")) {
        const std::size_t space = rest.rfind(' ');
        if (space != std::string_view::npos && space > 0)
            return TransferBegin{unescape(rest.substr(0, space), storage),
                                 unescape(rest.substr(space + 1), storage)};
    }
    return OtherSliceBegin{unescape(text, storage)};
}

template <class Hold>
std::optional<MarkerBody> decodeHold(std::string_view text, std::string& storage) {
    Hold hold;
    if (!takePrefix(text, "hold "))
        return std::nullopt;
    const std::size_t split = text.rfind('|');
    if (split == std::string_view::npos || !parseNumber(text.substr(split + 1), hold.cookie))
        return std::nullopt;
    hold.lock = unescape(text.substr(0, split), storage);
    return hold;
}

std::optional<MarkerBody> decodeRelease(std::string_view text) {
    constexpr std::string_view planned = " planned=";
    Release release;
    const std::size_t split = text.find(planned);
    if (split == std::string_view::npos || !parseNumber(text.substr(0, split), release.index) ||
        !parseNumber(text.substr(split + planned.size()), release.plannedNs))
        return std::nullopt;
    return release;
}

std::optional<MarkerBody> decodeLock(std::string_view text, std::string& storage) {
    constexpr std::string_view address = " addr=0x";
    constexpr std::string_view kind = " kind=";
    LockAnnouncement lock;
    const std::size_t kindAt = text.rfind(kind);
    if (kindAt == std::string_view::npos)
        return std::nullopt;
    const std::string_view kindText = text.substr(kindAt + kind.size());
    const std::size_t addressAt = text.rfind(address, kindAt);
    if (addressAt == std::string_view::npos || (kindText != "futex" && kindText != "kernel"))
        return std::nullopt;
    const std::size_t digits = addressAt + address.size();
    if (!parseNumber(text.substr(digits, kindAt - digits), lock.address, 16))
        return std::nullopt;
    lock.kind = kindText == "futex" ? LockAddressKind::Futex : LockAddressKind::Kernel;
    lock.lock = unescape(text.substr(0, addressAt), storage);
    return lock;
}

std::optional<MarkerBody> decodeManifest(std::string_view text, std::string& storage) {
    ManifestPart part;
    const std::size_t slash = text.find('/');
    const std::size_t space = text.find(' ');
    if (slash == std::string_view::npos || space == std::string_view::npos || slash > space ||
        !parseNumber(text.substr(0, slash), part.index) ||
        !parseNumber(text.substr(slash + 1, space - slash - 1), part.count) || part.index < 1 ||
        part.index > part.count)
        return std::nullopt;
    part.text = unescape(text.substr(space + 1), storage);
    return part;
}

std::optional<MarkerBody> decodeInstant(std::string_view text, std::string& storage) {
    std::optional<MarkerBody> body;
    std::string_view rest = text;
    if (takePrefix(rest, "release "))
        body = decodeRelease(rest);
    else if (takePrefix(rest, "lock "))
        body = decodeLock(rest, storage);
    else if (takePrefix(rest, "inversight.manifest "))
        body = decodeManifest(rest, storage);
    return body ? body : Note{unescape(text, storage)};
}

std::optional<MarkerBody> decodeBody(char letter, std::string_view text, std::string& storage) {
    switch (letter) {
    case 'B':
        return decodeSlice(text, storage);
    case 'S':
        return decodeHold<HoldBegin>(text, storage);
    case 'F':
        return decodeHold<HoldEnd>(text, storage);
    case 'I':
        return decodeInstant(text, storage);
    default:
        return std::nullopt;
    }
}

} // namespace

std::string_view MarkerCodec::encode(const Marker& marker, Buffer& buffer) {
    Writer out(buffer);
    const char letter = std::visit(KindLetter{}, marker.body);
    out.raw({&letter, 1}).raw("|").number(marker.tgid);
    std::visit(BodyWriter{out}, marker.body);
    return out.text();
}

std::optional<Marker> MarkerCodec::decode(std::string_view text, std::string& unescaped) {
    unescaped.clear();
    // Unescaping only shortens: with this the storage never moves while views point into it.
    unescaped.reserve(text.size());
    if (text.ends_with('\n'))
        text.remove_suffix(1);
    if (text.empty())
        return std::nullopt;
    const char letter = text.front();
    text.remove_prefix(1);
    // atrace also ends a slice with a bare "E".
    if (letter == 'E' && text.empty())
        return Marker{0, SliceEnd{}};
    if (!takePrefix(text, "|"))
        return std::nullopt;
    const std::size_t bar = text.find('|');
    Marker marker;
    if (!parseNumber(text.substr(0, bar), marker.tgid))
        return std::nullopt;
    if (letter == 'E') {
        marker.body = SliceEnd{};
        return marker;
    }
    if (bar == std::string_view::npos)
        return std::nullopt;
    auto body = decodeBody(letter, text.substr(bar + 1), unescaped);
    if (!body)
        return std::nullopt;
    marker.body = *std::move(body);
    return marker;
}

} // namespace inversight
