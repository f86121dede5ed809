// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/record/cpu_reader.h"

#include <array>
#include <cassert>
#include <cerrno>
#include <csignal>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <string>
#include <sys/eventfd.h>
#include <system_error>
#include <unistd.h>

namespace inversight {

namespace {

constexpr std::size_t kPagesPerWrite = 64;
constexpr int kPollMilliseconds = 100;
/// Flags of the commit word: the page misses events; their number stands behind the records.
constexpr std::uint64_t kMissedEvents = 1ULL << 31U;
constexpr std::uint64_t kMissedStored = 1ULL << 30U;
constexpr std::uint64_t kCommitMask = kMissedStored - 1;

/// All signals blocked for a scope; a thread made in it inherits that.
class SignalsBlocked {
public:
    SignalsBlocked() {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    SignalsBlocked(const SignalsBlocked&) = delete;
    SignalsBlocked& operator=(const SignalsBlocked&) = delete;

private:
    sigset_t before_{};
};

std::uint64_t loadLong(const PageLayout& layout, const std::byte* bytes) {
    return layout.commitSize == 8 ? loadInteger<std::uint64_t>(bytes, layout.order)
                                  : loadInteger<std::uint32_t>(bytes, layout.order);
}

Result<void> pinThread(pthread_t thread, std::span<const int> cpus) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const int cpu : cpus) {
        if (cpu < 0 || cpu >= CPU_SETSIZE)
            return std::unexpected(
                Error{ErrorCode::InvalidArgument, "no such CPU", "CPU " + std::to_string(cpu)});
        CPU_SET(cpu, &set);
    }
    if (const int error = pthread_setaffinity_np(thread, sizeof set, &set); error != 0)
        return std::unexpected(
            Error::fromErrno(error, "cannot pin the recorder to its CPUs", "recorder CPUs"));
    return {};
}

} // namespace

std::uint64_t lostBeforePage(const PageLayout& layout, std::span<const std::byte> page) {
    const std::uint64_t commit = loadLong(layout, page.data() + layout.commitOffset);
    if ((commit & kMissedEvents) == 0)
        return 0;
    const std::uint64_t end = layout.dataOffset + (commit & kCommitMask);
    if ((commit & kMissedStored) == 0 || end + layout.commitSize > page.size())
        return 1;
    return loadLong(layout, page.data() + end);
}

Result<std::unique_ptr<CpuReader>> CpuReader::start(int cpu, UniqueFd tracePipe,
                                                    const PageLayout& layout, Spool& spool,
                                                    std::span<const int> allowedCpus) {
    UniqueFd stopEvent(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!stopEvent)
        return std::unexpected(Error::fromErrno(errno, "cannot make an event descriptor"));
    std::unique_ptr<CpuReader> reader(
        new CpuReader(cpu, std::move(tracePipe), std::move(stopEvent), layout, spool));
    TRY(reader->launch(allowedCpus));
    return reader;
}

CpuReader::CpuReader(int cpu, UniqueFd tracePipe, UniqueFd stopEvent, const PageLayout& layout,
                     Spool& spool)
    : cpu_(cpu), tracePipe_(std::move(tracePipe)), stopEvent_(std::move(stopEvent)),
      layout_(layout), spool_(spool), buffer_(kPagesPerWrite * layout.pageSize) {}

CpuReader::~CpuReader() {
    join();
}

Result<void> CpuReader::launch(std::span<const int> allowedCpus) {
    const SignalsBlocked blocked;
    try {
        thread_ = std::thread([this] { run(); });
    } catch (const std::system_error& error) {
        return std::unexpected(
            Error::fromErrno(error.code().value(), "cannot start the recorder's thread"));
    }
    pthread_setname_np(thread_.native_handle(), ("record-" + std::to_string(cpu_)).c_str());
    if (allowedCpus.empty())
        return {};
    return pinThread(thread_.native_handle(), allowedCpus);
}

void CpuReader::join() {
    if (!thread_.joinable())
        return;
    const std::uint64_t one = 1;
    // Cannot fail: the counter is far from full, and the thread waits for nothing else for long.
    [[maybe_unused]] const ssize_t written = ::write(stopEvent_.get(), &one, sizeof one);
    assert(written == sizeof one);
    thread_.join();
}

Result<void> CpuReader::stop() {
    join();
    tracePipe_.reset();
    if (error_)
        return std::unexpected(*error_);
    return {};
}

void CpuReader::run() {
    if (auto result = readUntilStopped(); !result)
        error_ = std::move(result).error();
}

Result<void> CpuReader::readUntilStopped() {
    std::array<pollfd, 2> files{{{tracePipe_.get(), POLLIN, 0}, {stopEvent_.get(), POLLIN, 0}}};
    bool stopping = false;
    while (!stopping) {
        if (::poll(files.data(), files.size(), kPollMilliseconds) < 0 && errno != EINTR)
            return std::unexpected(Error::fromErrno(errno, "cannot wait for the ring buffer"));
        stopping = (files[1].revents & POLLIN) != 0;
        if ((files[0].revents & ~POLLIN) != 0)
            files[0].fd = -1; // a CPU that is not there: look at the clock only, do not spin
        TRY(drain());
    }
    return {};
}

Result<void> CpuReader::drain() {
    for (;;) {
        const std::size_t size = TRY(readPages());
        if (size == 0)
            return {};
        TRY(spool_.appendPages(cpu_, std::span(buffer_).first(size)));
        bytes_.fetch_add(size, std::memory_order_relaxed);
        if (size < buffer_.size())
            return {};
    }
}

/// Fills the buffer; less than full means that the ring is empty. A page that the kernel still
/// writes to is read as far as it is; the rest of it comes as another page.
Result<std::size_t> CpuReader::readPages() {
    std::size_t size = 0;
    while (size < buffer_.size()) {
        const std::span page = std::span(buffer_).subspan(size, layout_.pageSize);
        const ssize_t got = ::read(tracePipe_.get(), page.data(), page.size());
        // ENODEV: the CPU is offline and has no pages now.
        if (got == 0 || (got < 0 && (errno == EAGAIN || errno == ENODEV)))
            break;
        if (got < 0 && errno == EINTR)
            continue;
        const std::string where = "trace_pipe_raw of CPU " + std::to_string(cpu_);
        if (got < 0)
            return std::unexpected(Error::fromErrno(errno, "cannot read the ring buffer", where));
        if (static_cast<std::size_t>(got) != page.size())
            return std::unexpected(
                Error{ErrorCode::Corrupt, "the kernel's page is not whole", where});
        lostCount_.fetch_add(lostBeforePage(layout_, page), std::memory_order_relaxed);
        size += page.size();
    }
    return size;
}

} // namespace inversight
