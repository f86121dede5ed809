// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/view/track_inputs.h"
#include "ui/models/result_table.h"

namespace inversight {

/// How tables write times, threads and locks. Holds on to the store. Reentrant.
class TableWords {
public:
    explicit TableWords(TrackInputs inputs) : inputs_(std::move(inputs)) {}

    /// A time from the trace's first event: "0.000310000".
    [[nodiscard]] QString time(std::int64_t time) const;
    [[nodiscard]] QString span(std::int64_t length) const;
    /// "low (10)"
    [[nodiscard]] QString thread(ThreadId thread) const;
    [[nodiscard]] QString lock(LockId lock) const;

private:
    [[nodiscard]] ClockUnit unit() const;
    TrackInputs inputs_;
};

[[nodiscard]] TableColumn textColumn(QString title, std::function<QString(std::size_t)> text);
[[nodiscard]] TableColumn numberColumn(QString title, std::function<QString(std::size_t)> text,
                                       std::function<std::int64_t(std::size_t)> key);

} // namespace inversight
