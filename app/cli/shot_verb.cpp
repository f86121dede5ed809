// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "app/cli/shot_verb.h"

#include "app/cli/child_process.h"
#include "app/cli/option_words.h"
#include "app/cli/output.h"
#include "app/cli/program_finder.h"
#include "core/base/unique_fd.h"
#include "trace/export/json_document.h"

#include <array>
#include <cstdint>
#include <fcntl.h>
#include <unistd.h>

namespace inversight {

namespace {

struct ShotOptions {
    std::string file;
    std::string output;
    std::string size;
    std::string range;
    std::string format;
    std::string theme;
};

std::vector<std::string> windowArguments(const ShotOptions& options) {
    std::vector<std::string> arguments{"--shot", options.file, "-o", options.output};
    if (!options.size.empty())
        arguments.insert(arguments.end(), {"--size", options.size});
    if (!options.range.empty())
        arguments.insert(arguments.end(), {"--range", options.range});
    if (!options.theme.empty())
        arguments.insert(arguments.end(), {"--theme", options.theme});
    return arguments;
}

struct ImageSize {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
};

std::uint32_t bigEndian32(const unsigned char* bytes) {
    return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 |
           std::uint32_t{bytes[2]} << 8 | std::uint32_t{bytes[3]};
}

/// Width and height from the IHDR chunk, which comes first in every PNG (PNG specification 11.2.2).
Result<ImageSize> readPngSize(const std::string& path) {
    static constexpr std::size_t kWidthOffset = 16;
    std::array<unsigned char, kWidthOffset + 8> bytes{};
    const UniqueFd fd = TRY(UniqueFd::open(path, O_RDONLY));
    if (read(fd.get(), bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()) ||
        bytes[1] != 'P' || bytes[2] != 'N' || bytes[3] != 'G')
        return std::unexpected(Error{ErrorCode::Corrupt, "the picture is not a PNG", path});
    return ImageSize{bigEndian32(&bytes[kWidthOffset]), bigEndian32(&bytes[kWidthOffset + 4])};
}

/// For a document somebody must be here after the picture is drawn.
Result<ExitCode> drawAndDescribe(const ShotOptions& options) {
    std::vector<std::string> command{TRY(findWindowProgram())};
    const std::vector<std::string> arguments = windowArguments(options);
    command.insert(command.end(), arguments.begin(), arguments.end());
    ChildProcess child =
        TRY(ChildProcess::spawn(command, ChildOutput::ToStderr, ChildInput::Inherit));
    const ChildStatus status = child.waitForEnd();
    // The window program has the same exit codes, and has said why on standard error.
    const auto code = static_cast<ExitCode>(status.exitStatus.value_or(1));
    if (code != ExitCode::Done && code != ExitCode::Incomplete)
        return code;
    const ImageSize size = TRY(readPngSize(options.output));
    JsonDocument document = makeDocument("inversight.shot/1");
    document.data = {{"trace", options.file},
                     {"image", options.output},
                     {"width", size.width},
                     {"height", size.height}};
    document.complete = code == ExitCode::Done;
    print(document.toText());
    return code;
}

} // namespace

VerbAction setupShot(CLI::App& app, const Invocation&) {
    const auto options = std::make_shared<ShotOptions>();
    app.add_option("FILE", options->file, "A trace file")->required()->type_name("");
    app.add_option("-o,--output", options->output, "The PNG to write")
        ->required()
        ->type_name("PNG");
    app.add_option("--size", options->size, "In pixels")->type_name("WxH");
    app.add_option("--range", options->range, "The part of the trace to draw")
        ->type_name("BEGIN:END");
    addFormatOption(app, options->format, {"text", "json"});
    app.add_option("--theme", options->theme, "Its colours")
        ->check(CLI::IsMember({"light", "dark"}));
    return [options]() -> Result<ExitCode> {
        if (options->format == "json")
            return drawAndDescribe(*options);
        return std::unexpected(execWindowProgram(windowArguments(*options)));
    };
}

} // namespace inversight
