// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// The rows of `export --to` that copy a recording.
#include "sample_trace.h"
#include "trace/export/exporters.h"
#include "trace/file/dat_file.h"

#include <gmock/gmock.h>

#include <sstream>

namespace inversight::test {

namespace {

using testing::HasSubstr;

std::string exported(const LoadedTrace& trace, std::string_view format) {
    const auto row = findEventFormat(format);
    std::ostringstream out;
    const auto done = row ? (*row)->write(trace, JobContext(), out) : std::unexpected(row.error());
    return done ? out.str() : done.error().sentence();
}

LoadedTrace committed() {
    auto trace = loadTrace(INVERSIGHT_SOURCE_DIR "/tests/data/v7-zlib.dat", JobContext());
    EXPECT_TRUE(trace) << trace.error().sentence();
    return trace ? *std::move(trace) : LoadedTrace{};
}

std::string formOf(const std::string& bytes) {
    const auto source = *openTraceSource(RecordStore::fromBytes(bytes, "exported"));
    return source->info().format + " " + std::to_string(source->info().version) + " " +
           source->info().compression;
}

TEST(DatFormat, CopiesTheRecordingAsEitherVersion) {
    const LoadedTrace trace = committed();
    const std::string six = exported(trace, "trace.dat");
    EXPECT_EQ(formOf(six), "trace.dat 6 none");
    const std::string seven = exported(trace, "trace.dat-v7");
    EXPECT_EQ(formOf(seven), "trace.dat 7 zstd");
    EXPECT_LT(seven.size(), six.size());
}

TEST(DatFormat, NeedsARecording) {
    const SampleTrace sample(boostedOperation());
    for (const char* format : {"trace.dat", "trace.dat-v7"})
        EXPECT_THAT(exported(sample.trace, format), HasSubstr("only a trace.dat holds the pages"));
    LoadedTrace text;
    text.source = *openTraceSource(RecordStore::fromBytes("  a-1 [000] 1.0: x: y\n", "a text"));
    EXPECT_THAT(exported(text, "trace.dat"), HasSubstr("export it as text"));
}

} // namespace

} // namespace inversight::test
