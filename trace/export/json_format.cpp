// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/export/json_format.h"

#include "trace/export/analyze_document.h"
#include "trace/export/stream_output.h"

namespace inversight {

Result<void> writeJson(const AnalyzedTrace& analyzed, std::ostream& out) {
    out << analyzeDocument(analyzed).toText();
    return finishOutput(out);
}

} // namespace inversight
