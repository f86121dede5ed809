// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/record/event_selection.h"

namespace inversight {

namespace {

constexpr const char* kEssentialEvent = "sched:sched_switch";

/// Returns whether the kernel has something of that name.
bool addRequest(const Tracefs& tracefs, const std::string& request, EventSelection& selection) {
    const std::size_t colon = request.find(':');
    const std::string system = request.substr(0, colon);
    bool found = false;
    if (colon != std::string::npos) {
        const std::string event = request.substr(colon + 1);
        if (tracefs.hasEvent(system, event)) {
            selection.systems[system].insert(event);
            found = true;
        }
        return found;
    }
    for (const std::string& event : tracefs.events(system)) {
        if (!tracefs.hasEvent(system, event))
            continue; // a folder of another kind, or ftrace's own, which cannot be enabled
        selection.systems[system].insert(event);
        found = true;
    }
    return found;
}

/// Names become parts of paths under tracefs.
bool isWellFormed(const std::string& request) {
    const std::size_t colon = request.find(':');
    const bool hasName = colon != 0 && colon + 1 != request.size() && !request.empty();
    return hasName && request.find_first_of("/. \n") == std::string::npos;
}

} // namespace

Result<EventSelection> selectEvents(const Tracefs& tracefs, std::span<const std::string> requests) {
    EventSelection selection;
    for (const std::string& request : requests) {
        if (!isWellFormed(request))
            return std::unexpected(Error{ErrorCode::InvalidArgument, "not the name of an event",
                                         "\"" + request + "\"",
                                         "write system:event or system, e.g. sched:sched_switch"});
        if (addRequest(tracefs, request, selection))
            continue;
        if (request == kEssentialEvent)
            return std::unexpected(Error{ErrorCode::Unsupported,
                                         "this kernel cannot trace the scheduler", request,
                                         "use a kernel built with CONFIG_FTRACE"});
        selection.warnings.push_back("this kernel has no event " + request);
    }
    if (selection.systems.empty())
        return std::unexpected(Error{ErrorCode::NotFound, "this kernel has none of the events",
                                     tracefs.path() + "/events",
                                     "choose from the file available_events there"});
    return selection;
}

} // namespace inversight
