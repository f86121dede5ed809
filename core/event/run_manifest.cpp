// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/event/run_manifest.h"

#include "core/event/marker.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace inversight {

namespace {

/// Bytes of payload per part, such that "I|<tgid>|inversight.manifest K/N " and escapes (each
/// escaped character grows by two) stay within 900 bytes.
constexpr std::size_t kMarkerLimit = 900;
constexpr std::size_t kMarkerOverhead = 64;

nlohmann::json threadToJson(const ManifestThread& thread) {
    return {{"tid", thread.tid},           {"name", thread.name}, {"class", thread.schedulingClass},
            {"priority", thread.priority}, {"nice", thread.nice}, {"cpus", thread.cpus}};
}

ManifestThread threadFromJson(const nlohmann::json& json) {
    ManifestThread thread;
    thread.tid = json.value("tid", 0);
    thread.name = json.value("name", "");
    thread.schedulingClass = json.value("class", "");
    thread.priority = json.value("priority", 0);
    thread.nice = json.value("nice", 0);
    thread.cpus = json.value("cpus", std::vector<std::int32_t>{});
    return thread;
}

RunManifest fromParsed(const nlohmann::json& json) {
    RunManifest manifest;
    manifest.tool = json.value("tool", "");
    manifest.argv = json.value("argv", std::vector<std::string>{});
    if (const auto scenario = json.find("scenario"); scenario != json.end())
        manifest.scenario = scenario->dump();
    manifest.seed = json.value("seed", std::uint64_t{0});
    manifest.policy = json.value("policy", "");
    manifest.engine = json.value("engine", "");
    manifest.systemName = json.value("system", "");
    manifest.rtLimits = json.value("rt_limits", "");
    manifest.clock = json.value("clock", "");
    manifest.tgid = json.value("tgid", 0);
    manifest.cpuCount = json.value("cpu_count", 0);
    for (const nlohmann::json& thread : json.value("threads", nlohmann::json::array()))
        manifest.threads.push_back(threadFromJson(thread));
    return manifest;
}

/// How many bytes `c` takes in a marker.
std::size_t encodedSize(char c) {
    return c == '%' || c == '|' || c == '\n' || c == '\r' ? 3 : 1;
}

bool continuesUtf8(char c) {
    return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

} // namespace

std::string RunManifest::toJson() const {
    nlohmann::json json{{"manifest", kManifestVersion},
                        {"tool", tool},
                        {"argv", argv},
                        {"seed", seed},
                        {"policy", policy},
                        {"engine", engine},
                        {"system", systemName},
                        {"rt_limits", rtLimits},
                        {"clock", clock},
                        {"tgid", tgid},
                        {"cpu_count", cpuCount},
                        {"threads", nlohmann::json::array()}};
    // A document, not a string in a string: readers need not parse twice.
    const auto document = nlohmann::json::parse(scenario, nullptr, false);
    if (!document.is_discarded())
        json["scenario"] = document;
    for (const ManifestThread& thread : threads)
        json["threads"].push_back(threadToJson(thread));
    // Names come from users and may be no UTF-8: replace rather than throw.
    return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Result<RunManifest> RunManifest::fromJson(const std::string& text) {
    const auto json = nlohmann::json::parse(text, nullptr, false);
    if (json.is_discarded() || !json.is_object())
        return std::unexpected(
            Error{ErrorCode::Corrupt, "the run manifest is not a JSON object", "manifest markers"});
    try {
        const int version = json.value("manifest", 0);
        if (version < 1)
            return std::unexpected(
                Error{ErrorCode::Corrupt, "the run manifest has no version", "manifest markers"});
        if (version > kManifestVersion)
            return std::unexpected(Error{ErrorCode::Unsupported,
                                         "run manifest version " + std::to_string(version) +
                                             " is newer than this program's " +
                                             std::to_string(kManifestVersion),
                                         "manifest markers", "open it with a newer inversight"});
        return fromParsed(json);
    } catch (const nlohmann::json::exception& exception) {
        return std::unexpected(
            Error{ErrorCode::Corrupt,
                  std::string("a manifest field has the wrong type: ") + exception.what(),
                  "manifest markers"});
    }
}

std::vector<std::string> RunManifest::toMarkerParts() const {
    const std::string json = toJson();
    std::vector<std::string> parts;
    std::size_t begin = 0;
    while (begin < json.size()) {
        std::size_t end = begin;
        std::size_t size = kMarkerOverhead;
        while (end < json.size() && size + encodedSize(json[end]) <= kMarkerLimit)
            size += encodedSize(json[end++]);
        while (end < json.size() && end > begin + 1 && continuesUtf8(json[end]))
            --end;
        parts.push_back(json.substr(begin, end - begin));
        begin = end;
    }
    return parts;
}

void ManifestAssembler::add(std::uint32_t index, std::uint32_t count, std::string_view text) {
    // A second run in the same file (another process recorded it) starts anew with its own count.
    if (count != count_) {
        count_ = count;
        parts_.clear();
    }
    if (index >= 1 && index <= count)
        parts_.insert_or_assign(index, std::string(text));
}

bool ManifestAssembler::complete() const {
    return count_ > 0 && parts_.size() == count_;
}

Result<RunManifest> ManifestAssembler::manifest() const {
    if (!complete())
        return std::unexpected(Error{ErrorCode::NotFound, "the run manifest is incomplete",
                                     std::to_string(parts_.size()) + " of " +
                                         std::to_string(count_) + " manifest markers"});
    std::string json;
    for (const auto& [index, text] : parts_)
        json += text;
    return RunManifest::fromJson(json);
}

} // namespace inversight
