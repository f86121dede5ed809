// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

/// One number over all that two readers say of a file's events, whatever order they say it in: what
/// proves that neither decoded less than the other.
namespace inversight::bench {

class EventDigest {
public:
    void begin(std::int64_t time, int cpu, std::int32_t tid, std::string_view name, int flags) {
        finish();
        open_ = true;
        number(time);
        number(cpu);
        number(tid);
        text(name);
        number(flags);
        ++events_;
    }
    void number(std::int64_t value) {
        hash_ = (hash_ ^ static_cast<std::uint64_t>(value)) * 0x9e3779b97f4a7c15U;
        hash_ ^= hash_ >> 29;
    }
    void text(std::string_view value) {
        std::uint64_t hash = 0xcbf29ce484222325U;
        for (const char c : value)
            hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
        number(static_cast<std::int64_t>(hash));
    }
    [[nodiscard]] std::uint64_t value() {
        finish();
        return sum_;
    }
    [[nodiscard]] std::uint64_t events() const { return events_; }

private:
    void finish() {
        if (open_)
            sum_ += hash_;
        hash_ = 0;
        open_ = false;
    }
    bool open_ = false;
    std::uint64_t hash_ = 0;
    std::uint64_t sum_ = 0;
    std::uint64_t events_ = 0;
};

struct DigestField {
    std::string_view name;
    bool isText = false;
};

struct DigestEvent {
    std::string_view name;
    std::array<DigestField, 7> fields; ///< up to the first without a name
};

/// The events whose fields go into the digest, and in which order.
inline constexpr std::array kDigestEvents{
    DigestEvent{"sched_switch",
                {{{"prev_comm", true},
                  {"prev_pid"},
                  {"prev_prio"},
                  {"prev_state"},
                  {"next_comm", true},
                  {"next_pid"},
                  {"next_prio"}}}},
    DigestEvent{"sched_waking", {{{"comm", true}, {"pid"}, {"prio"}, {"target_cpu"}}}},
    DigestEvent{"sched_wakeup", {{{"comm", true}, {"pid"}, {"prio"}, {"target_cpu"}}}},
    DigestEvent{"sched_wakeup_new", {{{"comm", true}, {"pid"}, {"prio"}, {"target_cpu"}}}},
    DigestEvent{"sched_pi_setprio", {{{"comm", true}, {"pid"}, {"oldprio"}, {"newprio"}}}},
    DigestEvent{"sched_process_fork",
                {{{"parent_comm", true}, {"parent_pid"}, {"child_comm", true}, {"child_pid"}}}},
    DigestEvent{"sched_process_exit", {{{"comm", true}, {"pid"}, {"prio"}}}},
    DigestEvent{"sched_migrate_task",
                {{{"comm", true}, {"pid"}, {"prio"}, {"orig_cpu"}, {"dest_cpu"}}}},
    DigestEvent{"contention_begin", {{{"lock_addr"}, {"flags"}}}},
    DigestEvent{"contention_end", {{{"lock_addr"}, {"ret"}}}},
    DigestEvent{"sys_enter_futex", {{{"uaddr"}, {"op"}, {"val"}}}},
    DigestEvent{"sys_exit_futex", {{{"ret"}}}},
    DigestEvent{"i2c_write", {{{"adapter_nr"}, {"msg_nr"}, {"addr"}, {"flags"}, {"len"}}}},
    DigestEvent{"i2c_read", {{{"adapter_nr"}, {"msg_nr"}, {"addr"}, {"flags"}, {"len"}}}},
    DigestEvent{"i2c_reply", {{{"adapter_nr"}, {"msg_nr"}, {"addr"}, {"flags"}, {"len"}}}},
    DigestEvent{"i2c_result", {{{"adapter_nr"}, {"nr_msgs"}, {"ret"}}}},
    DigestEvent{"smbus_write",
                {{{"adapter_nr"}, {"addr"}, {"flags"}, {"command"}, {"protocol"}, {"len"}}}},
    DigestEvent{"smbus_read", {{{"adapter_nr"}, {"addr"}, {"flags"}, {"command"}, {"protocol"}}}},
    DigestEvent{"smbus_reply",
                {{{"adapter_nr"}, {"addr"}, {"flags"}, {"command"}, {"protocol"}, {"len"}}}},
    DigestEvent{"smbus_result",
                {{{"adapter_nr"},
                  {"addr"},
                  {"flags"},
                  {"command"},
                  {"protocol"},
                  {"read_write"},
                  {"res"}}}},
    DigestEvent{"spi_controller_idle", {{{"bus_num"}}}},
    DigestEvent{"spi_controller_busy", {{{"bus_num"}}}},
    DigestEvent{"spi_message_submit", {{{"bus_num"}, {"chip_select"}, {"msg"}}}},
    DigestEvent{"spi_message_start", {{{"bus_num"}, {"chip_select"}, {"msg"}}}},
    DigestEvent{"spi_message_done",
                {{{"bus_num"}, {"chip_select"}, {"msg"}, {"frame"}, {"actual"}}}},
    DigestEvent{"spi_transfer_start", {{{"bus_num"}, {"chip_select"}, {"xfer"}, {"len"}}}},
    DigestEvent{"spi_transfer_stop", {{{"bus_num"}, {"chip_select"}, {"xfer"}, {"len"}}}},
    DigestEvent{"spi_set_cs", {{{"bus_num"}, {"chip_select"}}}},
};

} // namespace inversight::bench
