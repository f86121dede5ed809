// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "tests/support/temporary_folder.h"
#include "tests/trace/file_write/trace_cmd.h"
#include "trace/record/recorder.h"

#include <gmock/gmock.h>
#include <map>
#include <string>
#include <vector>

namespace inversight {

/// Tests against the running kernel's tracefs; skipped, with the reason, where it is out of reach.
/// Every test leaves the instance it made removed.
class RecorderTest : public testing::Test {
protected:
    void SetUp() override;
    void TearDown() override;

    [[nodiscard]] std::string output() const { return folder_.file("a.dat"); }
    [[nodiscard]] std::string tracefs(const std::string& file) const {
        return tracefsPath_ + "/" + file;
    }
    [[nodiscard]] std::vector<std::string> ownInstances() const;

    TemporaryFolder folder_;
    std::string tracefsPath_;
};

/// The global control files a tracer could change, with their content.
[[nodiscard]] std::map<std::string, std::string> globalSettings(const std::string& tracefsPath);

/// Starts or fails the test; null after a failure.
[[nodiscard]] std::unique_ptr<Recorder> startRecorder(const RecorderOptions& options);

/// The lines that hold `text`.
[[nodiscard]] std::vector<std::string> linesWith(const std::vector<std::string>& lines,
                                                 const std::string& text);

} // namespace inversight
