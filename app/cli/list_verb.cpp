// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "app/cli/list_verb.h"

#include "app/cli/option_words.h"
#include "app/cli/output.h"
#include "core/bus/bus_backends.h"
#include "core/lock/lock_policies.h"
#include "core/workload/scenario.h"
#include "trace/analysis/analysis.h"
#include "trace/export/exporters.h"
#include "trace/export/json_document.h"
#include "trace/export/text_table.h"

#include <array>

namespace inversight {

namespace {

Json scenarioEntries() {
    Json entries = Json::array();
    for (const BuiltInScenario& scenario : builtInScenarios()) {
        const auto parsed = parseScenario(scenario.json);
        entries.push_back({{"name", scenario.name},
                           {"text", parsed ? parsed->spec.description : ""},
                           {"thread_count", parsed ? parsed->spec.threads.size() : 0}});
    }
    return entries;
}

Json policyEntries() {
    Json entries = Json::array();
    for (const LockPolicyRow& row : lockPolicies())
        entries.push_back({{"name", row.name},
                           {"text", row.text},
                           {"real", row.makeReal != nullptr},
                           {"virtual", row.makeModel != nullptr},
                           {"priority_inheritance", row.traits.priorityInheritance},
                           {"fifo_order", row.traits.fifoOrder}});
    return entries;
}

Json busEntries() {
    Json entries = Json::array();
    for (const BusBackendRow& row : busBackends())
        entries.push_back({{"name", row.name}, {"text", row.text}, {"own_lock", row.ownLock}});
    return entries;
}

Json analysisEntries() {
    Json entries = Json::array();
    for (const AnalysisRow& row : analyses())
        entries.push_back({{"name", row.name}, {"text", row.text}});
    return entries;
}

Json formatEntries() {
    Json entries = Json::array();
    for (const ExportFormat& row : exportFormats())
        entries.push_back({{"name", row.name},
                           {"text", row.text},
                           {"extension", row.extension},
                           {"verb", "analyze"}});
    for (const EventFormatRow& row : eventFormats())
        entries.push_back({{"name", row.name},
                           {"text", row.text},
                           {"extension", row.extension},
                           {"verb", "export"}});
    return entries;
}

/// A kind of thing that can be listed.
struct Kind {
    const char* name;
    Json (*entries)();
};
constexpr std::array kKinds{
    Kind{"scenarios", scenarioEntries}, Kind{"policies", policyEntries}, Kind{"buses", busEntries},
    Kind{"analyses", analysisEntries},  Kind{"formats", formatEntries},
};

/// A format's name means something only with its verb.
std::string nameOf(const Json& entry) {
    const std::string name = entry.at("name");
    return entry.contains("verb") ? entry.at("verb").get<std::string>() + " " + name : name;
}

std::string textOf(const Json& data) {
    std::string text;
    for (const auto& [kind, entries] : data.items()) {
        if (data.size() > 1)
            text += kind + ":\n";
        TextTable table({{"name", Align::Left}, {"what it is", Align::Left}});
        for (const Json& entry : entries)
            table.addRow({nameOf(entry), entry.at("text")});
        text += table.toText();
    }
    return text;
}

ExitCode list(const std::string& kind, const std::string& format) {
    JsonDocument document = makeDocument("inversight.list/1");
    for (const Kind& row : kKinds) {
        if (kind.empty() || kind == row.name)
            document.data[row.name] = row.entries();
    }
    print(format == "json" ? document.toText() : textOf(document.data));
    return ExitCode::Done;
}

} // namespace

VerbAction setupList(CLI::App& app, const Invocation&) {
    struct Options {
        std::string kind;
        std::string format;
    };
    const auto options = std::make_shared<Options>();
    std::vector<std::string> names;
    for (const Kind& kind : kKinds)
        names.emplace_back(kind.name);
    app.add_option("KIND", options->kind, "What to list; everything if left out")
        ->check(CLI::IsMember(names))
        ->type_name("");
    addFormatOption(app, options->format, {"text", "json"});
    return [options]() -> Result<ExitCode> { return list(options->kind, options->format); };
}

} // namespace inversight
