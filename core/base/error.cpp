// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/base/error.h"

#include <cerrno>
#include <system_error>

namespace inversight {

const char* errorCodeName(ErrorCode code) {
    switch (code) {
    case ErrorCode::InvalidArgument:
        return "invalid_argument";
    case ErrorCode::NotFound:
        return "not_found";
    case ErrorCode::PermissionDenied:
        return "permission_denied";
    case ErrorCode::Unsupported:
        return "unsupported";
    case ErrorCode::Corrupt:
        return "corrupt";
    case ErrorCode::Truncated:
        return "truncated";
    case ErrorCode::Io:
        return "io";
    case ErrorCode::Busy:
        return "busy";
    case ErrorCode::Cancelled:
        return "cancelled";
    case ErrorCode::Unavailable:
        return "unavailable";
    }
    return "unknown";
}

std::string Error::sentence() const {
    std::string text = what;
    if (!where.empty())
        text += " (" + where + ")";
    if (!remedy.empty())
        text += "; " + remedy;
    return text;
}

Error Error::fromErrno(int errnum, std::string what, std::string where) {
    ErrorCode code = ErrorCode::Io;
    if (errnum == EACCES || errnum == EPERM)
        code = ErrorCode::PermissionDenied;
    else if (errnum == ENOENT)
        code = ErrorCode::NotFound;
    else if (errnum == EBUSY)
        code = ErrorCode::Busy;
    return {code, what + ": " + std::generic_category().message(errnum), std::move(where)};
}

} // namespace inversight
