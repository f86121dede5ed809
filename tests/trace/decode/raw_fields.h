// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/decode/event_format.h"
#include "trace/file/dat_file.h"

#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace inversight::test {

/// Reads every field a record has, not only those with columns, through the record's reference.
class RawFields {
public:
    /// `file` must outlive this.
    explicit RawFields(const DatFile& file);

    /// What of the record at `offset` is not as `expected` (name -> value) says; "" if all is.
    [[nodiscard]] std::string differences(std::uint16_t rawId, std::uint64_t offset,
                                          const nlohmann::json& expected) const;

private:
    [[nodiscard]] std::span<const std::byte> bytes(const EventField& field,
                                                   std::span<const std::byte> record) const;
    [[nodiscard]] bool equal(const EventField& field, std::span<const std::byte> record,
                             const nlohmann::json& expected) const;

    const DatFile& file_;
    std::map<std::uint16_t, EventFormat> formats_;
};

} // namespace inversight::test
