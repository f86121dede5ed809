// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "app/cli/doctor_verb.h"

#include "app/cli/option_words.h"
#include "app/cli/output.h"
#include "core/engine/preconditions.h"
#include "core/engine/rt_environment.h"
#include "trace/export/json_document.h"
#include "trace/export/text_table.h"

#include <algorithm>
#include <fmt/format.h>

namespace inversight {

namespace {

struct Finding {
    const PreconditionRow* row;
    NeedReport report;
};

std::vector<Finding> examine() {
    std::vector<Finding> findings;
    for (const PreconditionRow& row : preconditions())
        findings.push_back({&row, row.probe()});
    return findings;
}

const char* stateName(NeedState state) {
    switch (state) {
    case NeedState::Met:
        return "met";
    case NeedState::Missing:
        return "missing";
    case NeedState::Limited:
        return "limited";
    }
    return "unknown";
}

/// A limited need warns, only a missing one refuses a job: as require() has it.
bool ready(const std::vector<Finding>& findings) {
    return std::ranges::none_of(findings, [](const Finding& finding) {
        return finding.report.state == NeedState::Missing;
    });
}

std::string textOf(const std::vector<Finding>& findings) {
    TextTable table({{"need", Align::Left}, {"state", Align::Left}, {"finding", Align::Left}});
    for (const Finding& finding : findings)
        table.addRow({std::string(finding.row->name), stateName(finding.report.state),
                      finding.report.finding});
    std::string text = table.toText();
    for (const Finding& finding : findings) {
        if (finding.report.state == NeedState::Met)
            continue;
        text += fmt::format("\n{}: {}\n  {}\n", finding.row->name, finding.row->reason,
                            finding.row->remedy);
    }
    return text;
}

JsonDocument documentOf(const std::vector<Finding>& findings) {
    const RtEnvironment environment = RtEnvironment::probe();
    Json needs = Json::array();
    for (const Finding& finding : findings)
        needs.push_back({{"name", finding.row->name},
                         {"state", stateName(finding.report.state)},
                         {"finding", finding.report.finding},
                         {"reason", finding.row->reason},
                         {"remedy", finding.row->remedy}});
    JsonDocument document = makeDocument("inversight.doctor/1");
    document.data = {{"ready", ready(findings)},
                     {"system", environment.systemName},
                     {"rt_limits", environment.rtLimitsText()},
                     {"cpus", environment.allowedCpus},
                     {"needs", needs}};
    return document;
}

} // namespace

VerbAction setupDoctor(CLI::App& app, const Invocation&) {
    const auto format = std::make_shared<std::string>();
    addFormatOption(app, *format, {"text", "json"});
    return [format]() -> Result<ExitCode> {
        const std::vector<Finding> findings = examine();
        print(*format == "json" ? documentOf(findings).toText() : textOf(findings));
        return ready(findings) ? ExitCode::Done : ExitCode::Failed;
    };
}

} // namespace inversight
