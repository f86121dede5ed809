// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/analysis/wait_parts.h"

namespace inversight {

const char* waitPartName(WaitPart part) {
    switch (part) {
    case WaitPart::CriticalSection:
        return "critical_section";
    case WaitPart::Wire:
        return "wire";
    case WaitPart::Mid:
        return "mid";
    case WaitPart::Peer:
        return "peer";
    case WaitPart::Dispatch:
        return "dispatch";
    case WaitPart::OwnerBlocked:
        return "owner_blocked";
    case WaitPart::Interference:
        return "interference";
    case WaitPart::Irq:
        return "irq";
    case WaitPart::Throttled:
        return "throttled";
    case WaitPart::Handoff:
        return "handoff";
    case WaitPart::Unknown:
        break;
    }
    return "unknown";
}

const char* holdKindName(HoldKind kind) {
    switch (kind) {
    case HoldKind::AtRequest:
        return "at_request";
    case HoldKind::Queueing:
        return "queueing";
    case HoldKind::FifoOrder:
        return "fifo_order";
    case HoldKind::None:
        break;
    }
    return "none";
}

const char* waitOnName(WaitOn on) {
    switch (on) {
    case WaitOn::Lock:
        return "lock";
    case WaitOn::Bus:
        return "bus";
    case WaitOn::Helper:
        break;
    }
    return "helper";
}

} // namespace inversight
