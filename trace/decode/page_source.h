// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/decode/event_catalog.h"
#include "trace/decode/event_printer.h"
#include "trace/decode/trace_source.h"
#include "trace/file/dat_file.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace inversight {

/// A trace of raw ring-buffer pages, whatever container they came in. Thread-bound; load() uses
/// threads of its own and has joined them when it returns.
class PageSource final : public TraceSource {
public:
    /// Unsupported for a file that holds a latency tracer's text.
    [[nodiscard]] static Result<std::unique_ptr<TraceSource>> create(DatFile file);

    [[nodiscard]] const SourceInfo& info() const override { return info_; }
    [[nodiscard]] std::vector<StreamId> streams() const override;
    [[nodiscard]] Result<LoadReport> load(StreamId stream, EventSink& sink,
                                          const JobContext& job) override;

    [[nodiscard]] Result<std::string> text(RecordRef record) const override;
    [[nodiscard]] Result<void> appendText(RecordRef record, std::string& out) const override;

    [[nodiscard]] const DatFile* pages() const override { return &file_; }
    /// For RecordStore::record(): what EventHeader::offset refers to.
    [[nodiscard]] const DatFile& file() const { return file_; }

private:
    explicit PageSource(DatFile file);
    [[nodiscard]] Result<RecordBytes> bytesOf(RecordRef record) const;

    DatFile file_;
    std::vector<std::string> warnings_; ///< of the file as a whole
    EventCatalog catalog_;
    EventPrinter printer_;
    SourceInfo info_;
};

} // namespace inversight
