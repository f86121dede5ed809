// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/model/ids.h"

#include <cstdint>
#include <string_view>

/// The typed events. Each is a template over how text is held: std::string_view while it passes
/// from a decoder to an EventSink, StringId in the store's columns. Priorities are kernel
/// priorities as written in the event.
namespace inversight {

/// What a task was when it was switched out, by the file's own state table.
enum class TaskState : std::uint8_t {
    Runnable, ///< R or R+
    Interruptible,
    Uninterruptible,
    Stopped,
    Traced,
    Dead,
    Zombie,
    Parked,
    Idle,
    Unknown, ///< bits the file's table does not name
};

template <class Text>
struct SchedSwitch {
    std::int32_t prevTid = 0;
    std::int32_t prevPrio = 0;
    std::int32_t nextTid = 0;
    std::int32_t nextPrio = 0;
    Text prevComm{};
    Text nextComm{};
    std::uint32_t rawState = 0; ///< low 32 bits of prev_state as recorded
    TaskState prevState = TaskState::Unknown;
    bool preempted = false; ///< the "+" bit: preempted inside the kernel
};

enum class WakeEventKind : std::uint8_t { Waking, Wakeup, WakeupNew };

template <class Text>
struct SchedWake {
    WakeEventKind kind = WakeEventKind::Waking;
    std::int32_t tid = 0;
    std::int32_t prio = 0;
    std::int32_t targetCpu = -1; ///< -1: the event has no such field
    Text comm{};
};

template <class Text>
struct PiSetprio {
    std::int32_t tid = 0;
    std::int32_t oldPrio = 0;
    std::int32_t newPrio = 0;
    Text comm{};
};

template <class Text>
struct SchedFork {
    std::int32_t parentTid = 0;
    std::int32_t childTid = 0;
    Text parentComm{};
    Text childComm{};
};

template <class Text>
struct SchedExit {
    std::int32_t tid = 0;
    std::int32_t prio = 0;
    Text comm{};
};

template <class Text>
struct SchedMigrate {
    std::int32_t tid = 0;
    std::int32_t prio = 0;
    std::int32_t fromCpu = 0;
    std::int32_t toCpu = 0;
    Text comm{};
};

/// flags as in kernel_event.h's ContentionFlags.
struct ContentionBegin {
    std::uint64_t address = 0;
    std::uint32_t flags = 0;
};

struct ContentionEnd {
    std::uint64_t address = 0;
    std::int32_t ret = 0;
};

struct FutexEnter {
    std::uint64_t uaddr = 0;
    std::uint32_t op = 0; ///< with FUTEX_PRIVATE_FLAG and FUTEX_CLOCK_REALTIME bits
    std::uint32_t val = 0;
};

struct FutexExit {
    std::int64_t ret = 0;
};

/// What the kernel's i2c, smbus and spi events tell of.
enum class BusEventKind : std::uint8_t {
    I2cWrite,
    I2cRead,
    I2cReply,
    I2cResult,
    SmbusWrite,
    SmbusRead,
    SmbusReply,
    SmbusResult,
    SpiControllerIdle,
    SpiControllerBusy,
    SpiMessageSubmit,
    SpiMessageStart,
    SpiMessageDone,
    SpiTransferStart,
    SpiTransferStop,
    SpiSetCs,
};

/// An event of a bus driver; 0 where a kind has no such field. Source: include/trace/events/
/// i2c.h, smbus.h and spi.h of Linux.
struct BusEvent {
    BusEventKind kind = BusEventKind::I2cWrite;
    std::uint8_t command = 0;   ///< of smbus
    std::uint8_t readWrite = 0; ///< of smbus_result: 1 = read
    std::int32_t adapter = 0;   ///< i2c adapter, SPI controller
    std::int32_t device = -1;   ///< address, chip select; -1: the event has none
    std::uint32_t flags = 0;    ///< of an i2c message or client
    std::uint32_t length = 0;   ///< bytes; of spi_message_done the bytes asked for
    std::uint32_t number = 0;   ///< i2c: which message, i2c_result: how many; spi done: bytes moved
    std::uint32_t protocol = 0; ///< of smbus
    std::int32_t result = 0;    ///< of i2c_result and smbus_result
    std::uint64_t object = 0;   ///< address of an SPI message or transfer
};

/// What a print event says, by the marker codec; Text for everything that is not one of ours.
enum class MarkerKind : std::uint8_t {
    WaitBegin,     ///< subject = lock
    TransferBegin, ///< subject = bus, detail = operation
    SliceBegin,    ///< subject = name
    SliceEnd,
    HoldBegin,    ///< subject = lock, value = cookie
    HoldEnd,      ///< subject = lock, value = cookie
    Release,      ///< number = index, value = planned time in ns
    LockAddress,  ///< subject = lock, value = address, number = 0 futex, 1 kernel
    ManifestPart, ///< subject = text, number = part
    Note,         ///< subject = text
    Text,         ///< subject = the whole text
};

template <class TextType>
struct MarkerEvent {
    MarkerKind kind = MarkerKind::Text;
    std::int32_t tgid = -1;
    std::uint32_t number = 0;
    std::uint64_t value = 0;
    TextType subject{};
    TextType detail{};
};

using SchedSwitchFields = SchedSwitch<std::string_view>;
using SchedWakeFields = SchedWake<std::string_view>;
using PiSetprioFields = PiSetprio<std::string_view>;
using SchedForkFields = SchedFork<std::string_view>;
using SchedExitFields = SchedExit<std::string_view>;
using SchedMigrateFields = SchedMigrate<std::string_view>;
using MarkerFields = MarkerEvent<std::string_view>;

using SchedSwitchRow = SchedSwitch<StringId>;
using SchedWakeRow = SchedWake<StringId>;
using PiSetprioRow = PiSetprio<StringId>;
using SchedForkRow = SchedFork<StringId>;
using SchedExitRow = SchedExit<StringId>;
using SchedMigrateRow = SchedMigrate<StringId>;
using MarkerRow = MarkerEvent<StringId>;

/// Which typed table an event type feeds.
enum class EventKind : std::uint8_t {
    Other,
    SchedSwitch,
    SchedWake,
    PiSetprio,
    SchedFork,
    SchedExit,
    SchedMigrate,
    ContentionBegin,
    ContentionEnd,
    FutexEnter,
    FutexExit,
    Marker,
    Bus,
};

} // namespace inversight
