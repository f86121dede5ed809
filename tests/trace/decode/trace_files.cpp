// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace_files.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <zlib.h>

namespace inversight::test {

namespace fs = std::filesystem;

namespace {

std::string unzip(const std::string& path) {
    gzFile file = gzopen(path.c_str(), "rb");
    if (file == nullptr)
        throw std::runtime_error("cannot open " + path);
    std::string text;
    char buffer[1 << 16];
    int size = 0;
    while ((size = gzread(file, buffer, sizeof buffer)) > 0)
        text.append(buffer, static_cast<std::size_t>(size));
    gzclose(file);
    return text;
}

} // namespace

std::string tracesFolder() {
    const char* folder = std::getenv("INVERSIGHT_TRACES");
    return folder != nullptr ? folder : INVERSIGHT_TRACES_DEFAULT;
}

std::vector<std::string> fixtureNames() {
    std::vector<std::string> names;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(tracesFolder() + "/fixtures/dat", error)) {
        if (entry.path().extension() == ".dat")
            names.push_back(entry.path().stem());
    }
    std::ranges::sort(names);
    return names;
}

std::vector<std::string> orAbsent(std::vector<std::string> names) {
    if (names.empty())
        names.emplace_back(kAbsent);
    return names;
}

std::string fixturePath(const std::string& name) {
    return tracesFolder() + "/fixtures/dat/" + name + ".dat";
}

ExpectedRecords readExpected(const std::string& name) {
    ExpectedRecords records;
    const std::string text = unzip(tracesFolder() + "/fixtures/expected/" + name + ".ndjson.gz");
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        nlohmann::json record = nlohmann::json::parse(text.substr(begin, end - begin));
        const std::pair<std::string, int> key(record["b"], record["cpu"]);
        records[key].push_back(std::move(record));
        begin = end + 1;
    }
    return records;
}

std::int64_t integer(const nlohmann::json& value) {
    if (value.is_string())
        return static_cast<std::int64_t>(std::stoull(value.get<std::string>(), nullptr, 0));
    return value.is_number_unsigned() ? static_cast<std::int64_t>(value.get<std::uint64_t>())
                                      : value.get<std::int64_t>();
}

TaskState modernState(std::uint64_t raw) {
    switch (raw & 0xff) {
    case 0x00:
        return TaskState::Runnable;
    case 0x01:
        return TaskState::Interruptible;
    case 0x02:
        return TaskState::Uninterruptible;
    case 0x04:
        return TaskState::Stopped;
    case 0x08:
        return TaskState::Traced;
    case 0x10:
        return TaskState::Dead;
    case 0x20:
        return TaskState::Zombie;
    case 0x40:
        return TaskState::Parked;
    case 0x80:
        return TaskState::Idle;
    default:
        return TaskState::Unknown;
    }
}

void TemporaryFile::write(const std::string& bytes) const {
    std::ofstream file(path_, std::ios::binary | std::ios::trunc);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

std::string readBytes(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file)
        throw std::runtime_error("cannot open " + path);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

} // namespace inversight::test
