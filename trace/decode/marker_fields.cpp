// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/decode/marker_fields.h"

#include "core/event/marker.h"

#include <variant>

namespace inversight {

namespace {

/// One overload per marker: which field of the store's row takes what.
struct FieldsOf {
    MarkerFields& out;

    void operator()(const WaitBegin& m) const { set(MarkerKind::WaitBegin, m.lock); }
    void operator()(const TransferBegin& m) const {
        set(MarkerKind::TransferBegin, m.bus);
        out.detail = m.operation;
    }
    void operator()(const SliceEnd&) const { set(MarkerKind::SliceEnd, {}); }
    void operator()(const OtherSliceBegin& m) const { set(MarkerKind::SliceBegin, m.name); }
    void operator()(const HoldBegin& m) const { set(MarkerKind::HoldBegin, m.lock, m.cookie); }
    void operator()(const HoldEnd& m) const { set(MarkerKind::HoldEnd, m.lock, m.cookie); }
    void operator()(const Release& m) const {
        set(MarkerKind::Release, {}, static_cast<std::uint64_t>(m.plannedNs));
        out.number = static_cast<std::uint32_t>(m.index);
    }
    void operator()(const LockAnnouncement& m) const {
        set(MarkerKind::LockAddress, m.lock, m.address);
        out.number = m.kind == LockAddressKind::Kernel ? 1 : 0;
    }
    void operator()(const ManifestPart& m) const {
        set(MarkerKind::ManifestPart, m.text);
        out.number = m.index;
    }
    void operator()(const Note& m) const { set(MarkerKind::Note, m.text); }

private:
    void set(MarkerKind kind, std::string_view subject, std::uint64_t value = 0) const {
        out.kind = kind;
        out.subject = subject;
        out.value = value;
    }
};

} // namespace

MarkerFields markerFields(std::string_view text, std::string& scratch) {
    MarkerFields fields;
    if (const auto marker = MarkerCodec::decode(text, scratch)) {
        fields.tgid = marker->tgid;
        std::visit(FieldsOf{fields}, marker->body);
        return fields;
    }
    if (text.ends_with('\n'))
        text.remove_suffix(1);
    fields.subject = text;
    return fields;
}

} // namespace inversight
