// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"
#include "trace/file/byte_order.h"

#include <cstdint>
#include <string_view>

namespace inversight {

/// Where the parts of a ring-buffer page (sub-buffer) are: a 64-bit time stamp at 0, the commit
/// word (a long of the recording kernel), then the records. Source: events/header_page of that
/// kernel.
struct PageLayout {
    ByteOrder order = ByteOrder::Little;
    std::uint32_t pageSize = 4096;
    std::uint32_t commitOffset = 8;
    std::uint32_t commitSize = 8; ///< 4 or 8
    std::uint32_t dataOffset = 16;

    [[nodiscard]] std::uint32_t dataSize() const { return pageSize - dataOffset; }

    /// From the header_page text. `pageSize` is the file's; where the text describes pages of
    /// another size (sub-buffers larger than the machine's page, since Linux 6.8), the text rules.
    [[nodiscard]] static Result<PageLayout> parse(std::string_view headerPage, ByteOrder order,
                                                  std::uint32_t pageSize);
    /// For kernels too old to have a header_page.
    [[nodiscard]] static Result<PageLayout> withoutHeader(ByteOrder order, std::uint32_t pageSize,
                                                          std::uint32_t longSize);
    /// The same for pages of another size.
    [[nodiscard]] Result<PageLayout> withPageSize(std::uint32_t size) const;

private:
    [[nodiscard]] Result<PageLayout> checked() const;
};

} // namespace inversight
