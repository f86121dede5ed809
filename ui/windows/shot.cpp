// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/windows/shot.h"

#include "trace/decode/trace_source.h"
#include "ui/plots/latency_plot.h"
#include "ui/windows/trace_page.h"

#include <QBuffer>
#include <QFile>
#include <QVBoxLayout>
#include <charconv>
#include <cmath>
#include <filesystem>

namespace inversight {

namespace {

constexpr int kMaxEdge = 16384;
constexpr int kMinWidth = 640;
constexpr int kMinHeight = 400;

Error badRange(std::string_view text, std::string what) {
    return {ErrorCode::InvalidArgument, std::move(what), std::string(text),
            "give A:B in seconds from the first event, or with units: 120ms:150ms"};
}

/// "120ms" in ns; no unit means seconds.
std::optional<std::int64_t> parseTime(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || !std::isfinite(value))
        return std::nullopt;
    const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
    const double scale = unit.empty() || unit == "s" ? 1e9
                         : unit == "ms"              ? 1e6
                         : unit == "us"              ? 1e3
                         : unit == "ns"              ? 1
                                                     : 0;
    if (scale == 0 || std::abs(value * scale) > 9e18)
        return std::nullopt;
    return static_cast<std::int64_t>(std::llround(value * scale));
}

/// An edge of a picture; 0 for anything that is not a whole number.
int parseEdge(std::string_view text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size() ? value : 0;
}

/// The page of a window with the latency plot beneath.
class ShotPage {
public:
    ShotPage(const Theme& theme, QSize size)
        : minHeightWithLatency_(theme.sizes.minHeightWithLatency) {
        auto* column = new QVBoxLayout(&widget_);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        column->setSizeConstraint(QLayout::SetNoConstraint); // the size is what was asked for
        column->addWidget(page_ = new TracePage(&widget_), 1);
        column->addWidget(latency_ = new LatencyPlot(&widget_));
        latency_->setFixedHeight(std::min(
            theme.sizes.latency * size.height() / theme.sizes.windowHeight, size.height() / 3));
        page_->setTheme(theme);
        page_->tracks().setWholeLanesOnly();
        latency_->setTheme(theme);
        widget_.resize(size);
    }

    void fill(const LoadedTrace& trace, const AnalysisResults& results,
              std::shared_ptr<const TrackModel> model) {
        const auto latency = results.get<Latency>();
        std::vector<std::string> names;
        if (latency) {
            for (const ThreadLatency& each : latency->threads)
                names.push_back(trace.store->threadName(each.thread));
        }
        page_->setFacts(traceFacts(trace));
        page_->setBoosts(results.get<Boosts>().get());
        latency_->setVisible(latency && !latency->threads.empty() &&
                             widget_.height() >= minHeightWithLatency_);
        // A first picture lays everything out; from here on widths are what they will be.
        (void)widget_.grab();
        page_->setModel(std::move(model), latency.get());
        latency_->setLatency(latency, std::move(names));
    }
    void show(TimeRange range) { page_->view().setVisible(range); }
    [[nodiscard]] QImage grab() { return widget_.grab().toImage(); }

private:
    QWidget widget_;
    TracePage* page_ = nullptr;
    LatencyPlot* latency_ = nullptr;
    int minHeightWithLatency_;
};

Result<TimeRange> absoluteRange(const TimeRange& offsets, const TimeRange& whole) {
    const TimeRange range = {whole.begin + offsets.begin, whole.begin + offsets.end};
    if (!range.overlaps(whole))
        return std::unexpected(
            Error{ErrorCode::InvalidArgument, "the range lies outside of the trace", "--range",
                  "the trace is " + formatSpan(whole.length(), ClockUnit::Nanoseconds) + " long"});
    return range;
}

Result<void> writePng(const QImage& image, const std::string& output) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    if (!image.save(&buffer, "PNG"))
        return std::unexpected(Error{ErrorCode::Io, "the picture could not be encoded", output});
    const std::string partial = output + ".partial";
    QFile file(QFile::decodeName(partial.c_str()));
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.flush())
        return std::unexpected(Error{
            ErrorCode::Io, "the picture could not be written: " + file.errorString().toStdString(),
            partial});
    file.close();
    std::error_code code;
    std::filesystem::rename(partial, output, code);
    if (code)
        return std::unexpected(
            Error{ErrorCode::Io, "the picture could not be renamed: " + code.message(), output});
    return {};
}

} // namespace

Result<TimeRange> parseShotRange(std::string_view text) {
    const auto colon = text.find(':');
    if (colon == std::string_view::npos)
        return std::unexpected(badRange(text, "a range is two times with a colon between them"));
    const auto begin = parseTime(text.substr(0, colon));
    const auto end = parseTime(text.substr(colon + 1));
    if (!begin || !end)
        return std::unexpected(badRange(text, "this is not a range of times"));
    if (*end <= *begin)
        return std::unexpected(badRange(text, "the range ends before it begins"));
    return TimeRange{*begin, *end};
}

Result<QSize> parseShotSize(std::string_view text) {
    const auto cross = text.find('x');
    const int width = parseEdge(text.substr(0, cross));
    const int height = cross == std::string_view::npos ? 0 : parseEdge(text.substr(cross + 1));
    if (width < kMinWidth || width > kMaxEdge || height < kMinHeight || height > kMaxEdge)
        return std::unexpected(Error{ErrorCode::InvalidArgument, "this is not a size of a picture",
                                     std::string(text),
                                     "give WIDTHxHEIGHT in pixels, 640x400 to 16384x16384"});
    return QSize(width, height);
}

Result<ShotReport> takeShot(const ShotOptions& options, const JobContext& job) {
    const LoadedTrace trace = TRY(loadTrace(options.file, job));
    AnalysisResults results;
    TRY(runAnalyses(*trace.store, results, job));
    const auto model = TRY(
        TrackModel::build(TrackInputs::from(trace.store, results), leadThreads(trace.report), job));
    std::optional<TimeRange> range;
    if (options.range)
        range = TRY(absoluteRange(*options.range, model->wholeRange()));

    const Theme& theme = Theme::of(options.theme);
    applyTheme(theme);
    ShotPage page(theme, options.size);
    page.fill(trace, results, model);
    if (range)
        page.show(*range);
    TRY(writePng(page.grab(), options.output));

    const TraceFacts facts = traceFacts(trace);
    ShotReport report{.complete = !facts.incomplete, .warnings = facts.warnings};
    if (!trace.store->losses().empty())
        report.warnings.prepend(facts.losses);
    return report;
}

} // namespace inversight
