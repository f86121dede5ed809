// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include <QJsonObject>
#include <QString>
#include <QStringList>
#include <vector>

namespace inversight {

/// A scenario as its file says.
struct ScenarioFacts {
    QString name;
    QString description;
    QString source; ///< where it is from, with the published figures
    QJsonObject document;
};

/// The built-in scenarios, by name.
[[nodiscard]] std::vector<ScenarioFacts> builtInScenarioFacts();

/// A value of a scenario that can be overridden: "thread.fifo-99.priority", "99".
struct ScenarioValue {
    QString path;
    QString value;
};
/// The numbers and texts of the scenario's threads and buses, as `--set` names them.
[[nodiscard]] std::vector<ScenarioValue> scenarioValues(const QJsonObject& document);

/// What a person chose in the Run panel.
struct RunChoice {
    QString scenario;
    QStringList policies;
    QString engine;
    int loops = 0;      ///< 0: the scenario's
    double seconds = 0; ///< 0: loops count
    std::vector<ScenarioValue> overrides;
    QString output;
};
[[nodiscard]] QStringList runArguments(const RunChoice& choice);

/// What a person chose in the Record panel.
struct RecordChoice {
    QString output;
    QStringList events; ///< empty: the usual ones
    int bufferKib = 0;  ///< 0: the usual size
    double seconds = 0; ///< 0: until it is stopped or the command ends
    QStringList command;
};
[[nodiscard]] QStringList recordArguments(const RecordChoice& choice);

} // namespace inversight
