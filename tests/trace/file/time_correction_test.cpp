// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// TIME_SHIFT in the layouts trace-cmd has written, and its arithmetic (trace-input.c of 3.1).
#include "trace/file/time_correction.h"

#include "byte_builder.h"
#include "trace/file/dat_file.h"

#include <gmock/gmock.h>

namespace inversight::test {

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

ByteBuilder& numbers(ByteBuilder& bytes, std::initializer_list<std::int64_t> values) {
    for (const std::int64_t value : values)
        bytes.u64(static_cast<std::uint64_t>(value));
    return bytes;
}

TimeCorrection correction(const std::string& option, ByteOrder order = ByteOrder::Little) {
    auto shift = TimeShift::parse(option, order);
    EXPECT_TRUE(shift) << shift.error().sentence();
    TimeCorrection made;
    made.guest = shift.value_or(TimeShift{});
    return made;
}

std::int64_t apply(const TimeCorrection& correction, int cpu, std::uint64_t time) {
    return CpuTime(correction, cpu, CpuTime::Date::Add).apply(time);
}

TEST(TimeShift, OneSampleIsAnOffset) {
    ByteBuilder option;
    numbers(option.u64(77).u32(0).u32(2).u32(1), {1000, -5'000'000'000, 1});
    numbers(option.u32(1), {1000, 250, 1});
    const TimeCorrection made = correction(option.bytes());
    EXPECT_EQ(apply(made, 0, 7'000'000'000), 2'000'000'000);
    EXPECT_EQ(apply(made, 0, 3'000'000'000), -2'000'000'000); // before the host's clock began
    EXPECT_EQ(apply(made, 1, 100), 350);
    EXPECT_EQ(apply(made, 2, 100), 100); // a CPU the option does not know
}

TEST(TimeShift, SamplesAreSteps) {
    ByteBuilder option;
    option.u64(77).u32(0).u32(1).u32(3);
    numbers(option, {3000, 1000, 2000}); // times, in no order
    numbers(option, {30, 10, 20});       // offsets
    numbers(option, {1, 1, 1});          // scalings
    const TimeCorrection made = correction(option.bytes());
    EXPECT_EQ(apply(made, 0, 0), 10);
    EXPECT_EQ(apply(made, 0, 1500), 1510);
    EXPECT_EQ(apply(made, 0, 2000), 2020);
    EXPECT_EQ(apply(made, 0, 2999), 3019);
    EXPECT_EQ(apply(made, 0, 5000), 5020); // the last pair of samples, whose first offset holds
}

TEST(TimeShift, InterpolatesWhenTheFlagsSaySo) {
    ByteBuilder option;
    option.u64(77).u32(1).u32(1).u32(2);
    numbers(option, {1000, 2000});
    numbers(option, {-100, -200});
    numbers(option, {1, 1});
    const TimeCorrection made = correction(option.bytes());
    EXPECT_EQ(apply(made, 0, 1000), 900);
    EXPECT_EQ(apply(made, 0, 1500), 1351); // trace-cmd rounds towards zero
    EXPECT_EQ(apply(made, 0, 3000), 2701);
}

TEST(TimeShift, FractionBitsScale) {
    ByteBuilder option;
    option.u64(77).u32(0).u32(1).u32(2);
    numbers(option, {1000, 2000});
    numbers(option, {5, 5});
    numbers(option, {3 << 20, 3 << 20});
    numbers(option, {21, 21}); // 3/2
    const TimeCorrection made = correction(option.bytes());
    EXPECT_EQ(apply(made, 0, 1000), 1505);
    EXPECT_EQ(apply(made, 0, std::uint64_t{1} << 50), (std::int64_t{3} << 49) + 5);
}

TEST(TimeShift, TheLayoutUpTo29HasOneListForAllCpus) {
    ByteBuilder option(ByteOrder::Big);
    numbers(option.u64(77).u32(2), {1000, 2000});
    numbers(option, {100, 200});
    const TimeCorrection made = correction(option.bytes(), ByteOrder::Big);
    EXPECT_EQ(apply(made, 0, 1500), 1650);
    EXPECT_EQ(apply(made, 9, 1500), 1650);
}

TEST(TimeShift, EqualTimesAreOneSample) {
    ByteBuilder option;
    option.u64(77).u32(1).u32(1).u32(2);
    numbers(option, {1000, 1000});
    numbers(option, {100, 200});
    numbers(option, {1, 1});
    EXPECT_EQ(apply(correction(option.bytes()), 0, 1500), 1600);
}

TEST(TimeShift, TheCalibrationComesAfterIt) {
    ByteBuilder option;
    numbers(option.u64(77).u32(0).u32(1).u32(1), {1000, 100, 1});
    TimeCorrection made = correction(option.bytes());
    made.multiplier = 1;
    made.shift = 1;
    made.offset = 7;
    made.date = 1000;
    EXPECT_EQ(apply(made, 0, 1000), 550 + 7 + 1000);
    EXPECT_EQ(CpuTime(made, 0, CpuTime::Date::Ignore).apply(1000), 557);
}

TEST(TimeShift, DamageSaysWhatWasExpected) {
    const auto failure = [](const std::string& option) {
        const auto shift = TimeShift::parse(option, ByteOrder::Little);
        return shift ? "" : shift.error().what;
    };
    EXPECT_EQ(failure(""), "section \"TIME_SHIFT\": expected the host's session (8 bytes), the "
                           "file has 0 left");
    EXPECT_THAT(failure(ByteBuilder().u64(1).u32(0).u32(1).u32(0xffffffff).bytes()),
                HasSubstr("expected 3 lists of 4294967295 numbers, the option has 0 bytes left"));
    ByteBuilder fraction;
    numbers(fraction.u64(1).u32(0).u32(1).u32(1), {1, 2, 3, 64});
    EXPECT_THAT(failure(fraction.bytes()),
                HasSubstr("expected at most 63 fraction bits, found 64"));
}

TEST(TimeShift, StandsInFilesOfVersion6Too) {
    DatBytes dat;
    ByteBuilder option;
    numbers(option.u64(77).u32(0).u32(1).u32(1), {1000, 100, 1});
    dat.options = {{12, option.bytes()}};
    auto file = readDat(RecordStore::fromBytes(dat.build(), "FILE"));
    ASSERT_TRUE(file);
    EXPECT_EQ(apply(file->time, 0, 1), 101);
    EXPECT_THAT(file->warnings, IsEmpty());
    dat.options = {{12, "damaged"}};
    file = readDat(RecordStore::fromBytes(dat.build(), "FILE"));
    ASSERT_TRUE(file);
    EXPECT_EQ(apply(file->time, 0, 1), 1);
    EXPECT_THAT(file->warnings,
                ElementsAre(HasSubstr("the time shift of this guest's file is damaged")));
}

} // namespace

} // namespace inversight::test
