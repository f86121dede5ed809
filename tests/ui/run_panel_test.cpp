// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// The Run panel runs the real command-line program, in virtual time.
#include "ui/windows/main_window.h"

#include <QFileInfo>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <gmock/gmock.h>

namespace inversight {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr int kPatienceMs = 60'000;

TEST(RunForm, ChoicesBecomeArguments) {
    RunChoice choice;
    choice.scenario = QStringLiteral("classic");
    choice.policies = QStringList{QStringLiteral("mutex"), QStringLiteral("rt_mutex")};
    choice.engine = QStringLiteral("virtual");
    choice.loops = 5;
    choice.overrides = {{QStringLiteral("thread.H.priority"), QStringLiteral("9")}};
    choice.output = QStringLiteral("out");
    EXPECT_EQ(runArguments(choice).join(QLatin1Char(' ')).toStdString(),
              "run classic --policy mutex,rt_mutex --engine virtual --loops 5 --set "
              "thread.H.priority=9 -o out");
    choice.seconds = 1.5;
    EXPECT_THAT(runArguments(choice).join(QLatin1Char(' ')).toStdString(),
                HasSubstr("--duration 1.5"));
    RecordChoice record{QStringLiteral("r.dat"),
                        {QStringLiteral("sched")},
                        512,
                        2,
                        {QStringLiteral("sleep"), QStringLiteral("1")}};
    EXPECT_EQ(recordArguments(record).join(QLatin1Char(' ')).toStdString(),
              "record -o r.dat -e sched -b 512 --duration 2 -- sleep 1");
}

TEST(RunForm, EveryBuiltInScenarioHasValuesToOverride) {
    const std::vector<ScenarioFacts> scenarios = builtInScenarioFacts();
    EXPECT_GT(scenarios.size(), 10u);
    for (const ScenarioFacts& scenario : scenarios) {
        EXPECT_FALSE(scenario.description.isEmpty()) << scenario.name.toStdString();
        EXPECT_FALSE(scenarioValues(scenario.document).empty()) << scenario.name.toStdString();
    }
}

class RunningWindow : public testing::Test {
protected:
    RunningWindow() {
        RunPanel& panel = window.runPanel();
        panel.chooseScenario(QStringLiteral("classic"));
        panel.chooseEngine(QStringLiteral("virtual"));
        panel.setOutput(directory.filePath(QStringLiteral("out")));
    }

    QTemporaryDir directory;
    MainWindow window{ThemeKind::Light};
};

TEST_F(RunningWindow, ARunOfTwoPoliciesIsOpenedAndCompared) {
    RunPanel& panel = window.runPanel();
    panel.choosePolicies({QStringLiteral("mutex-2009"), QStringLiteral("rt_mutex")});
    QSignalSpy ended(&panel.status().job(), &ChildJob::ended);
    panel.status().startButton().click();
    EXPECT_FALSE(panel.status().startButton().isEnabled());
    ASSERT_TRUE(ended.wait(kPatienceMs));
    EXPECT_TRUE(panel.status().startButton().isEnabled());
    EXPECT_EQ(panel.status().text(), QStringLiteral("Done."));
    ASSERT_TRUE(QTest::qWaitFor([&] { return window.comparison() != nullptr; }, kPatienceMs));
    EXPECT_EQ(window.tabCount(), 3);
    EXPECT_EQ(window.comparison()->runCount(), 2u);
}

TEST_F(RunningWindow, ACancelledRunKeepsWhatItRecorded) {
    RunPanel& panel = window.runPanel();
    panel.chooseScenario(QStringLiteral("i2c-bus-2009"));
    panel.choosePolicies({QStringLiteral("rt_mutex")});
    panel.setLoops(5'000'000);
    QSignalSpy ended(&panel.status().job(), &ChildJob::ended);
    QSignalSpy recorded(&panel, &RunPanel::recorded);
    QSignalSpy progressed(&panel.status().job(), &ChildJob::progressed);
    panel.status().startButton().click();
    ASSERT_TRUE(progressed.wait(kPatienceMs));
    panel.status().cancelButton().click();
    if (ended.isEmpty()) {
        ASSERT_TRUE(ended.wait(kPatienceMs));
    }
    ASSERT_EQ(recorded.count(), 1);
    const QStringList traces = recorded[0][0].toStringList();
    ASSERT_EQ(traces.size(), 1);
    EXPECT_TRUE(QFileInfo::exists(traces[0]));
}

TEST_F(RunningWindow, WhatTheProgramRefusesIsASentence) {
    RunPanel& panel = window.runPanel();
    panel.choosePolicies({QStringLiteral("no-such-policy")});
    QSignalSpy ended(&panel.status().job(), &ChildJob::ended);
    panel.status().startButton().click();
    ASSERT_TRUE(ended.wait(kPatienceMs));
    EXPECT_THAT(panel.status().text().toStdString(), HasSubstr("no-such-policy"));
    EXPECT_EQ(window.tabCount(), 0);
}

TEST_F(RunningWindow, AMissingProgramIsASentence) {
    ChildJob job;
    job.setProgram(directory.filePath(QStringLiteral("absent")));
    QSignalSpy failed(&job, &ChildJob::failed);
    QSignalSpy ended(&job, &ChildJob::ended);
    job.start({QStringLiteral("run")});
    if (ended.isEmpty()) {
        ASSERT_TRUE(ended.wait(kPatienceMs));
    }
    EXPECT_EQ(failed.count(), 1);
    EXPECT_THAT(failed[0][0].toString().toStdString(), HasSubstr("could not be started"));
}

} // namespace
} // namespace inversight
