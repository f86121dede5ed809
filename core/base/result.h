// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/error.h"

#include <expected>
#include <string>
#include <utility>

namespace inversight {

/// The return type of everything that can fail for a reason a user may cause.
/// A bug is an assert, never a Result.
template <class T>
using Result = std::expected<T, Error>;

template <class T>
[[nodiscard]] T releaseValue(Result<T>&& result) {
    return *std::move(result);
}
inline void releaseValue(Result<void>&&) {}

/// The failure of a reader whose bytes contradict the format; it says what was expected.
[[nodiscard]] inline std::unexpected<Error> corrupt(std::string what) {
    return std::unexpected(Error{ErrorCode::Corrupt, std::move(what)});
}

} // namespace inversight

/// TRY(expression) yields the value of a Result, or returns its error from the calling function:
///
///     Result<Page> readPage(int fd) {
///         const size_t size = TRY(fileSize(fd));
///         ...
///     }
///
/// A GNU statement expression, because g++ 12's std::expected has no and_then.
#define TRY(...)                                                                                   \
    __extension__({                                                                                \
        auto tryResult_ = (__VA_ARGS__);                                                           \
        if (!tryResult_)                                                                           \
            return std::unexpected(std::move(tryResult_).error());                                 \
        ::inversight::releaseValue(std::move(tryResult_));                                         \
    })
