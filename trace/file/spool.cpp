// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/file/spool.h"

#include "trace/file/trace_dat_writer.h"

#include <cassert>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace inversight {

namespace {

std::string cpuPath(const std::string& path, std::size_t cpu) {
    return path + ".partial.cpu" + std::to_string(cpu);
}

/// Creates a file that must not exist yet.
Result<UniqueFd> createNew(const std::string& path, const std::string& target) {
    const int fd = ::open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (fd >= 0)
        return UniqueFd(fd);
    if (errno != EEXIST)
        return std::unexpected(Error::fromErrno(errno, "cannot create the recording", path));
    return std::unexpected(
        Error{ErrorCode::Busy, "another recording is being written, or was cut short, here", path,
              "choose another name, or recover it with: trace-cmd restore -i " + target +
                  ".partial -o " + target + " " + target + ".partial.cpu*"});
}

Result<std::uint64_t> fileSize(int fd, const std::string& where) {
    struct stat status{};
    if (::fstat(fd, &status) != 0)
        return std::unexpected(Error::fromErrno(errno, "cannot read the size", where));
    return static_cast<std::uint64_t>(status.st_size);
}

/// For file systems between which the kernel does not copy by itself.
Result<void> copyThroughMemory(int from, int to, std::uint64_t size, const std::string& where) {
    std::vector<std::byte> buffer(1U << 20U);
    off_t offset = ::lseek(from, 0, SEEK_CUR);
    while (size > 0) {
        const std::size_t wanted = std::min<std::uint64_t>(size, buffer.size());
        const ssize_t got = ::pread(from, buffer.data(), wanted, offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return std::unexpected(Error::fromErrno(errno, "cannot read the spool", where));
        if (got == 0)
            return std::unexpected(Error{ErrorCode::Truncated, "the spool became shorter", where});
        TRY(writeAll(to, std::span(buffer.data(), static_cast<std::size_t>(got)), where));
        offset += got;
        size -= static_cast<std::uint64_t>(got);
    }
    return {};
}

/// Copies the whole of `from` to the current position of `to`.
Result<void> copyFile(int from, int to, std::uint64_t size, const std::string& where) {
    if (::lseek(from, 0, SEEK_SET) < 0)
        return std::unexpected(Error::fromErrno(errno, "cannot read the spool", where));
    while (size > 0) {
        const ssize_t copied = ::copy_file_range(from, nullptr, to, nullptr, size, 0);
        if (copied < 0 && errno == EINTR)
            continue;
        if (copied < 0 && (errno == ENOSPC || errno == EDQUOT || errno == EFBIG || errno == EIO))
            return std::unexpected(Error::fromErrno(errno, "cannot write the recording", where));
        if (copied <= 0)
            return copyThroughMemory(from, to, size, where);
        size -= static_cast<std::uint64_t>(copied);
    }
    return {};
}

Result<void> syncDirectory(const std::string& path) {
    const std::string directory = std::filesystem::path(path).parent_path().string();
    const UniqueFd fd = TRY(UniqueFd::open(directory.empty() ? "." : directory, O_RDONLY));
    // Some file systems cannot sync a directory; the file itself is safe then.
    if (::fsync(fd.get()) != 0 && errno != EINVAL)
        return std::unexpected(Error::fromErrno(errno, "cannot sync the directory", directory));
    return {};
}

Result<void> syncAndRename(int fd, const std::string& from, const std::string& to) {
    if (::fsync(fd) != 0)
        return std::unexpected(Error::fromErrno(errno, "cannot sync the recording", from));
    if (::rename(from.c_str(), to.c_str()) != 0)
        return std::unexpected(Error::fromErrno(errno, "cannot rename the recording", to));
    return syncDirectory(to);
}

} // namespace

Result<Spool> Spool::create(const std::string& path, const TraceMetadata& metadata) {
    assert(metadata.cpuCount > 0 && metadata.pageSize > 0);
    Spool spool;
    // The metadata file comes first: it is the claim on the name.
    UniqueFd head = TRY(createNew(path + ".partial", path));
    spool.path_ = path;
    spool.pageSize_ = metadata.pageSize;
    auto filled = spool.createFiles(head.get(), metadata);
    if (!filled) {
        spool.discard();
        return std::unexpected(std::move(filled).error());
    }
    return spool;
}

Result<void> Spool::createFiles(int headFd, const TraceMetadata& metadata) {
    const auto cpuCount = static_cast<std::size_t>(metadata.cpuCount);
    for (std::size_t cpu = 0; cpu < cpuCount; ++cpu)
        cpuFiles_.push_back(TRY(createNew(cpuPath(path_, cpu), path_)));
    const std::vector<std::uint64_t> nothing(cpuCount, 0);
    return writeAll(headFd, layoutTraceDat(metadata, nothing).head, partialPath());
}

Result<void> Spool::appendPages(int cpu, std::span<const std::byte> pages) {
    assert(pages.size() % pageSize_ == 0);
    const auto index = static_cast<std::size_t>(cpu);
    assert(index < cpuFiles_.size());
    auto written = writeAll(cpuFiles_[index].get(), pages, cpuPath(path_, index));
    if (!written)
        dropTornPage(cpuFiles_[index].get());
    return written;
}

void Spool::dropTornPage(int fd) const {
    const auto size = fileSize(fd, path_);
    // Best effort: the write has failed already and its error is on the way to the caller.
    if (size && ::ftruncate(fd, static_cast<off_t>(*size / pageSize_ * pageSize_)) != 0)
        return;
}

Result<void> Spool::finish(const TraceMetadata& metadata) {
    assert(!cpuFiles_.empty());
    assert(cpuFiles_.size() == static_cast<std::size_t>(metadata.cpuCount));
    assert(pageSize_ == metadata.pageSize);
    const std::string whole = partialPath() + ".whole";
    auto assembled = assemble(whole, metadata);
    if (!assembled) {
        ::unlink(whole.c_str());
        return assembled;
    }
    discard();
    return {};
}

Result<void> Spool::assemble(const std::string& whole, const TraceMetadata& metadata) const {
    std::vector<std::uint64_t> sizes;
    for (std::size_t cpu = 0; cpu < cpuFiles_.size(); ++cpu)
        sizes.push_back(TRY(fileSize(cpuFiles_[cpu].get(), cpuPath(path_, cpu))));
    const TraceDatLayout layout = layoutTraceDat(metadata, sizes);
    const UniqueFd out = TRY(UniqueFd::open(whole, O_RDWR | O_CREAT | O_TRUNC, 0644));
    TRY(writeAll(out.get(), layout.head, whole));
    for (std::size_t cpu = 0; cpu < cpuFiles_.size(); ++cpu) {
        if (::lseek(out.get(), static_cast<off_t>(layout.cpus[cpu].offset), SEEK_SET) < 0)
            return std::unexpected(Error::fromErrno(errno, "cannot write the recording", whole));
        TRY(copyFile(cpuFiles_[cpu].get(), out.get(), sizes[cpu], whole));
    }
    return syncAndRename(out.get(), whole, path_);
}

void Spool::discard() {
    for (std::size_t cpu = 0; cpu < cpuFiles_.size(); ++cpu)
        ::unlink(cpuPath(path_, cpu).c_str());
    cpuFiles_.clear();
    ::unlink(partialPath().c_str());
}

} // namespace inversight
