// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/workload/scenario_overrides.h"

#include "core/workload/scenario_reader.h"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

namespace inversight {

namespace {

Result<void> checkRange(std::int64_t value, std::int64_t low, std::int64_t high,
                        const char* where) {
    if (value < low || value > high)
        return std::unexpected(expected(fmt::format("an integer from {} to {}", low, high), where));
    return {};
}

std::int64_t signedOf(std::uint64_t value) {
    constexpr std::uint64_t kMax = std::numeric_limits<std::int64_t>::max();
    return value > kMax ? -1 : static_cast<std::int64_t>(value);
}

/// Whether the run waits for it: how long is said of such threads.
bool inForeground(const Json& thread) {
    const auto background = thread.find("background");
    return background == thread.end() || *background != true;
}

Result<void> setLoops(Json& document, std::uint64_t loops) {
    TRY(checkRange(signedOf(loops), 1, kMaxLoops, "the loops override"));
    for (Json& thread : document["threads"]) {
        if (inForeground(thread))
            thread["loops"] = loops;
    }
    return {};
}

Result<void> setDuration(Json& document, std::int64_t duration) {
    TRY(checkRange(duration, 1, kMaxRunNs, "the duration override"));
    for (Json& thread : document["threads"]) {
        if (!inForeground(thread))
            continue;
        thread["duration_ns"] = duration;
        thread.erase("loops");
    }
    return {};
}

/// One "PATH=VALUE" taken apart.
struct Setting {
    std::string text; ///< for errors
    std::string_view path;
    Json value;

    [[nodiscard]] Error wrong(std::string_view what) const {
        return expected(what, fmt::format("the setting {}", text));
    }
};

Result<Setting> parseSetting(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos)
        return std::unexpected(expected("PATH=VALUE", fmt::format("the setting {}", text)));
    Setting setting{text, std::string_view(text).substr(0, equals),
                    Json::parse(text.substr(equals + 1), nullptr, false)};
    if (setting.value.is_discarded()) // a text needs no quotes
        setting.value = text.substr(equals + 1);
    return setting;
}

/// The member of `thing` that "KEY" or "KEY.KEY..." names; missing objects on the way are made.
Result<void> setMember(Json& thing, std::string_view keys, const Setting& setting) {
    Json* place = &thing;
    for (;;) {
        if (!place->is_object())
            return std::unexpected(setting.wrong("keys of objects, one in the other"));
        const std::size_t dot = keys.find('.');
        Json& member = (*place)[std::string(keys.substr(0, dot))];
        if (dot == std::string_view::npos) {
            member = setting.value;
            return {};
        }
        if (member.is_null())
            member = Json::object();
        place = &member;
        keys.remove_prefix(dot + 1);
    }
}

/// The member "NAME.KEY" of one of the things in `array`; names may hold dots.
Result<void> setInArray(Json& array, std::string_view rest, const Setting& setting,
                        std::string_view kind) {
    for (Json& thing : array) {
        const std::string name = thing.value("name", "") + ".";
        if (rest.starts_with(name) && rest.size() > name.size())
            return setMember(thing, rest.substr(name.size()), setting);
    }
    return std::unexpected(setting.wrong(fmt::format("{0}.NAME.KEY with the name of a {0}", kind)));
}

Result<void> applySetting(Json& document, const Setting& setting) {
    struct Kind {
        std::string_view name;
        const char* array;
    };
    for (const auto& [name, array] :
         {Kind{"thread", "threads"}, Kind{"bus", "buses"}, Kind{"lock", "locks"}}) {
        if (setting.path.starts_with(name) && setting.path.substr(name.size()).starts_with('.'))
            return setInArray(document[array], setting.path.substr(name.size() + 1), setting, name);
    }
    if (setting.path.starts_with("virtual.") || setting.path == "cpus" || setting.path == "seed")
        return setMember(document, setting.path, setting);
    return std::unexpected(setting.wrong(
        "thread.NAME.KEY, bus.NAME.KEY, lock.NAME.KEY, virtual.KEY, virtual.fair.KEY or cpus "
        "before the ="));
}

} // namespace

Result<void> applyOverrides(Json& document, const ScenarioOverrides& overrides) {
    if (overrides.duration)
        TRY(setDuration(document, overrides.duration->count()));
    if (overrides.loops)
        TRY(setLoops(document, *overrides.loops));
    if (overrides.seed) {
        TRY(checkRange(signedOf(*overrides.seed), 0, std::numeric_limits<std::int64_t>::max(),
                       "the seed override"));
        document["seed"] = *overrides.seed;
    }
    for (const std::string& text : overrides.settings)
        TRY(applySetting(document, TRY(parseSetting(text))));
    return {};
}

} // namespace inversight
