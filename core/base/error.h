// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include <string>

namespace inversight {

/// What kind of failure an Error is. Callers branch on it; people read the words.
enum class ErrorCode {
    InvalidArgument,  ///< The user asked for something that cannot be.
    NotFound,         ///< A file, scenario, policy, event ... does not exist.
    PermissionDenied, ///< The right is missing; Error::remedy says how to get it.
    Unsupported,      ///< Known, but not by this version or on this machine.
    Corrupt,          ///< The bytes contradict the format.
    Truncated,        ///< The bytes end before they should.
    Io,               ///< The operating system refused to read or write.
    Busy,             ///< Somebody else has it.
    Cancelled,        ///< The user stopped it.
    Unavailable,      ///< An input of this result failed.
};

/// The stable name used in JSON ("not_found", ...).
[[nodiscard]] const char* errorCodeName(ErrorCode code);

/// A failure as a value: what happened, where, and what to do about it.
///
/// Every Error ends before a person, so the three parts are plain words. `where` names a file, an
/// offset, a path inside a JSON document or a control file; `remedy` is a command or an action and
/// may be empty where nothing can be done.
struct Error {
    ErrorCode code = ErrorCode::InvalidArgument;
    std::string what;
    std::string where = {};
    std::string remedy = {};

    /// One line: "what (where); remedy".
    [[nodiscard]] std::string sentence() const;

    /// An Io or PermissionDenied error from an errno value, with strerror's words after `what`.
    [[nodiscard]] static Error fromErrno(int errnum, std::string what, std::string where = {});
};

} // namespace inversight
