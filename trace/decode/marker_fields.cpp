// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/decode/marker_fields.h"

#include <optional>

namespace inversight {

namespace {

/// Fills the columns from each kind of marker.
struct ColumnFiller {
    MarkerFields& fields;
    ManifestPlace& place;

    void operator()(const WaitBegin& m) const { set(MarkerKind::WaitBegin, m.lock); }
    void operator()(const TransferBegin& m) const {
        set(MarkerKind::TransferBegin, m.bus);
        fields.detail = m.operation;
    }
    void operator()(const SliceEnd&) const { fields.kind = MarkerKind::SliceEnd; }
    void operator()(const OtherSliceBegin& m) const { set(MarkerKind::SliceBegin, m.name); }
    void operator()(const HoldBegin& m) const {
        set(MarkerKind::HoldBegin, m.lock);
        fields.value = m.cookie;
    }
    void operator()(const HoldEnd& m) const {
        set(MarkerKind::HoldEnd, m.lock);
        fields.value = m.cookie;
    }
    void operator()(const Release& m) const {
        fields.kind = MarkerKind::Release;
        fields.number = static_cast<std::uint32_t>(m.index);
        fields.value = static_cast<std::uint64_t>(m.plannedNs);
    }
    void operator()(const LockAnnouncement& m) const {
        set(MarkerKind::LockAddress, m.lock);
        fields.value = m.address;
        fields.number = m.kind == LockAddressKind::Kernel ? 1 : 0;
    }
    void operator()(const ManifestPart& m) const {
        set(MarkerKind::ManifestPart, m.text);
        fields.number = m.index;
        place = {m.index, m.count};
    }
    void operator()(const Note& m) const { set(MarkerKind::Note, m.text); }

private:
    void set(MarkerKind kind, std::string_view subject) const {
        fields.kind = kind;
        fields.subject = subject;
    }
};

} // namespace

MarkerFields decodeMarker(std::string_view text, std::string& unescaped, ManifestPlace& place) {
    MarkerFields fields;
    const std::optional<Marker> marker = MarkerCodec::decode(text, unescaped);
    if (marker) {
        fields.tgid = marker->tgid;
        std::visit(ColumnFiller{fields, place}, marker->body);
        return fields;
    }
    fields.subject = text.ends_with('\n') ? text.substr(0, text.size() - 1) : text;
    return fields;
}

} // namespace inversight
