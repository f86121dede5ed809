// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "app/cli/analyze_verb.h"
#include "app/cli/doctor_verb.h"
#include "app/cli/explain_verb.h"
#include "app/cli/export_verb.h"
#include "app/cli/info_verb.h"
#include "app/cli/list_verb.h"
#include "app/cli/record_verb.h"
#include "app/cli/run_verb.h"
#include "app/cli/shot_verb.h"
#include "app/cli/verb.h"

#include <array>

namespace inversight {

std::span<const VerbRow> verbs() {
    static constexpr std::array table{
        VerbRow{"run", "Run a bus workload under lock policies and record it", setupRun},
        VerbRow{"record", "Record scheduling and lock events of the whole machine", setupRecord},
        VerbRow{"info", "Say what a trace file holds", setupInfo},
        VerbRow{"analyze", "Say who waited, who was boosted by whom, and how long", setupAnalyze},
        VerbRow{"explain", "Say in plain sentences which inversions were the worst, and why",
                setupExplain},
        VerbRow{"export", "Write the events of a trace in another format", setupExport},
        VerbRow{"list", "List scenarios, policies, buses, analyses and formats", setupList},
        VerbRow{"doctor", "Check what this machine permits and how to get the rest", setupDoctor},
        VerbRow{"shot", "Draw a trace into a PNG without a display", setupShot},
    };
    return table;
}

} // namespace inversight
