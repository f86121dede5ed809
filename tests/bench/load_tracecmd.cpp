// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
//
// bench_tracecmd FILE [--digest]: libtracecmd's bare iteration over all events, with one field
// read; or, untimed, the digest of what it reads.
#include "tests/bench/event_digest.h"

#include <chrono>
#include <cstdio>
#include <cstring>
#include <map>
#include <trace-cmd.h>

using namespace inversight::bench;

namespace {

struct Bare {
    tep_handle* tep = nullptr;
    std::uint64_t events = 0;
    std::uint64_t tids = 0; // so that the field is read

    static int visit(tracecmd_input*, tep_record* record, int, void* self) {
        auto& bare = *static_cast<Bare*>(self);
        bare.tids += static_cast<std::uint64_t>(tep_data_pid(bare.tep, record));
        ++bare.events;
        return 0;
    }
};

struct Digesting {
    tep_handle* tep = nullptr;
    EventDigest digest;
    std::map<int, std::pair<tep_event*, const DigestEvent*>> known;

    static const DigestEvent* find(const char* name) {
        for (const DigestEvent& event : kDigestEvents)
            if (event.name == name)
                return &event;
        return nullptr;
    }
    static std::string_view textOf(const tep_format_field& field, const char* data) {
        auto offset = static_cast<unsigned>(field.offset);
        auto size = static_cast<unsigned>(field.size);
        if ((field.flags & TEP_FIELD_IS_DYNAMIC) != 0) {
            unsigned word = 0;
            std::memcpy(&word, data + offset, sizeof word);
            offset = word & 0xffff;
            size = word >> 16;
        }
        return {data + offset, strnlen(data + offset, size)};
    }
    void addFields(tep_event* event, const DigestEvent& wanted, tep_record* record) {
        for (const DigestField& field : wanted.fields) {
            if (field.name.empty())
                break;
            tep_format_field* found = tep_find_any_field(event, std::string(field.name).c_str());
            const auto* data = static_cast<const char*>(record->data);
            if (field.isText) {
                digest.text(textOf(*found, data));
                continue;
            }
            unsigned long long value = 0;
            tep_read_number_field(found, record->data, &value);
            if (field.name == "prev_state" || field.name == "op" || field.name == "val")
                value &= 0xffffffffU;
            else if ((found->flags & TEP_FIELD_IS_SIGNED) != 0 && found->size == 4)
                value = static_cast<unsigned long long>(
                    static_cast<long long>(static_cast<int>(value)));
            if ((found->flags & TEP_FIELD_IS_SIGNED) != 0 && found->size == 2)
                value = static_cast<unsigned long long>(
                    static_cast<long long>(static_cast<short>(value)));
            digest.number(static_cast<std::int64_t>(value));
        }
    }
    static int visit(tracecmd_input*, tep_record* record, int cpu, void* self) {
        auto& all = *static_cast<Digesting*>(self);
        auto [place, isNew] = all.known.try_emplace(tep_data_type(all.tep, record));
        if (isNew) {
            tep_event* event = tep_find_event_by_record(all.tep, record);
            place->second = {event, event != nullptr ? find(event->name) : nullptr};
        }
        const auto& [event, wanted] = place->second;
        all.digest.begin(static_cast<std::int64_t>(record->ts), cpu, tep_data_pid(all.tep, record),
                         event != nullptr ? event->name : "unknown event",
                         tep_data_flags(all.tep, record));
        if (wanted != nullptr)
            all.addFields(event, *wanted, record);
        return 0;
    }
};

} // namespace

int main(int argc, char** argv) {
    if (argc < 2)
        return 2;
    const auto begin = std::chrono::steady_clock::now();
    tracecmd_input* input = tracecmd_open(argv[1], TRACECMD_FL_LOAD_NO_PLUGINS);
    if (input == nullptr)
        return 1;
    if (argc > 2 && std::strcmp(argv[2], "--digest") == 0) {
        Digesting all{tracecmd_get_tep(input), {}, {}};
        tracecmd_iterate_events(input, nullptr, 0, Digesting::visit, &all);
        std::printf("events %llu\ndigest %016llx\n",
                    static_cast<unsigned long long>(all.digest.events()),
                    static_cast<unsigned long long>(all.digest.value()));
    } else {
        Bare bare{tracecmd_get_tep(input), 0, 0};
        tracecmd_iterate_events(input, nullptr, 0, Bare::visit, &bare);
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
        std::printf("seconds %.6f\nevents %llu\ntids %llu\n", seconds.count(),
                    static_cast<unsigned long long>(bare.events),
                    static_cast<unsigned long long>(bare.tids));
    }
    tracecmd_close(input);
    return 0;
}
