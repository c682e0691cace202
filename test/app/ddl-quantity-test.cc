// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-quantity.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** \return the complaint of a parser about a text that it must refuse */
template <typename Parse>
std::string
Problem(Parse parse, const std::string& text)
{
    std::string problem;
    EXPECT_FALSE(parse(text, problem)) << text;
    EXPECT_FALSE(problem.empty()) << text;
    return problem;
}

template <typename Parse>
auto
Value(Parse parse, const std::string& text)
{
    std::string problem;
    const auto value = parse(text, problem);
    EXPECT_TRUE(value) << text << ": " << problem;
    return value.value();
}

bool
Contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

TEST(Quantity, RatesAreReadAsNs3ReadsThem)
{
    for (const char* text : {"1bps",    "1b/s",    "8Bps",  "3B/s",   "10kbps", "10kb/s",  "10Kbps",
                             "10Kb/s",  "1.5kBps", "1kB/s", "1KBps",  "1KB/s",  "2Kib/s",  "2KiB/s",
                             "100Mbps", "2.5Mb/s", "1MBps", "1MB/s",  "3Mib/s", "3MiB/s",  "10Gbps",
                             "0.1Gb/s", "1GBps",   "1GB/s", "1Gib/s", "1GiB/s", "400Gbps", "0bps"})
    {
        EXPECT_EQ(Value(ParseRate, text), DataRate(text)) << text;
    }
    EXPECT_EQ(Value(ParseRate, "1GiB/s").GetBitRate(), 8ULL * 1024 * 1024 * 1024);
}

TEST(Quantity, WrongRatesAreRefusedWithARemedy)
{
    EXPECT_TRUE(Contains(Problem(ParseRate, "10"), "has no unit"));
    EXPECT_TRUE(Contains(Problem(ParseRate, "10 Gbps"), "did you mean \"10Gbps\"?"));
    EXPECT_TRUE(Contains(Problem(ParseRate, "10gbps"), "did you mean \"10Gbps\"?"));
    EXPECT_TRUE(Contains(Problem(ParseRate, "10Gbp"), "did you mean \"10Gbps\"?"));
    EXPECT_TRUE(Contains(Problem(ParseRate, "fast"), "write a number and a unit"));
    EXPECT_TRUE(Contains(Problem(ParseRate, "99999999999999Gbps"), "too large"));
    for (const char* text : {"",
                             "Gbps",
                             "-10Gbps",
                             "+1Gbps",
                             "1e9bps",
                             ".5Gbps",
                             "1.Gbps",
                             "NaN",
                             "infGbps",
                             "0x10bps",
                             "10Gbps ",
                             "1.2.3Gbps"})
    {
        Problem(ParseRate, text);
    }
    Problem(ParseRate, std::string(1000000, '1') + "bps");
}

TEST(Quantity, TimesAreReadAsNs3ReadsThem)
{
    for (const char* text : {"5us",
                             "1ns",
                             "0.1s",
                             "2min",
                             "1h",
                             "1d",
                             "1y",
                             "500ps",
                             "1e-3s",
                             "0s",
                             "1500000fs",
                             "-5us",
                             "4.35us",
                             "290y"})
    {
        EXPECT_EQ(Value(ParseDuration, text), Time(text)) << text;
    }
    EXPECT_EQ(Value(ParseDuration, "0.1s").GetNanoSeconds(), 100000000);
}

TEST(Quantity, WrongTimesAreRefusedWithARemedy)
{
    EXPECT_TRUE(Contains(Problem(ParseDuration, "5"), "has no unit"));
    EXPECT_TRUE(Contains(Problem(ParseDuration, "5usec"), "(units: ns, us, ms, s,"));
    EXPECT_TRUE(Contains(Problem(ParseDuration, "5US"), "did you mean \"5us\"?"));
    // 2^63 ns are 292.47 years of 365 days
    EXPECT_TRUE(Contains(Problem(ParseDuration, "293y"), "too large"));
    EXPECT_TRUE(Contains(Problem(ParseDuration, "1e4000s"), "too large"));
    EXPECT_TRUE(Contains(Problem(ParseDuration, "1e99999s"), "too large"));
    // the simulator counts in nanoseconds
    EXPECT_TRUE(Contains(Problem(ParseDuration, "1fs"), "resolution"));
    for (const char* text : {"", "s", "--5s", "5 s", "1e", "1es", "nan", "inf"})
    {
        Problem(ParseDuration, text);
    }
}

TEST(Quantity, SizesAreExact)
{
    EXPECT_EQ(Value(ParseBytes, "1500B"), 1500u);
    EXPECT_EQ(Value(ParseBytes, "100kB"), 100000u);
    EXPECT_EQ(Value(ParseBytes, "100KB"), 100000u);
    EXPECT_EQ(Value(ParseBytes, "250MB"), 250000000u);
    EXPECT_EQ(Value(ParseBytes, "1GB"), 1000000000u);
    EXPECT_EQ(Value(ParseBytes, "5TB"), 5000000000000u);
    EXPECT_EQ(Value(ParseBytes, "1KiB"), 1024u);
    EXPECT_EQ(Value(ParseBytes, "2MiB"), 2u * 1024 * 1024);
    EXPECT_EQ(Value(ParseBytes, "1.5GiB"), 1536ULL * 1024 * 1024);
    EXPECT_EQ(Value(ParseBytes, "4.35kB"), 4350u); // 4.35 is no binary fraction
    EXPECT_EQ(Value(ParseBytes, "9223372036854775807B"), (uint64_t{1} << 63) - 1);
    EXPECT_EQ(Value(ParseBytes, "0B"), 0u);
}

TEST(Quantity, WrongSizesAreRefusedWithARemedy)
{
    EXPECT_TRUE(Contains(Problem(ParseBytes, "1000"), "has no unit"));
    EXPECT_TRUE(Contains(Problem(ParseBytes, "250Mb"), "did you mean \"250MB\"?"));
    EXPECT_TRUE(Contains(Problem(ParseBytes, "1.5B"), "not a whole number of bytes"));
    EXPECT_TRUE(Contains(Problem(ParseBytes, "-1B"), "negative"));
    EXPECT_TRUE(Contains(Problem(ParseBytes, "9223372036854775808B"), "too large")); // 2^63
}

TEST(Quantity, NumbersMustBeFiniteAndWhole)
{
    EXPECT_EQ(Value(ParseNumber, "-1.5e3"), -1500.0);
    EXPECT_TRUE(Contains(Problem(ParseNumber, "1e999"), "too large"));
    for (const char* text : {"", "1x", "nan", "inf", "1 2", "0x1p3"})
    {
        EXPECT_TRUE(Contains(Problem(ParseNumber, text), "not a number")) << text;
    }
}

TEST(Quantity, StepsAreRoundedAndLeaveRoomForADate)
{
    EXPECT_EQ(RoundSteps(2.5), TimeStep(3));
    EXPECT_EQ(RoundSteps(0), Time(0));
    for (const double most : {1e300, double{INFINITY}, double{NAN}})
    {
        EXPECT_EQ(RoundSteps(most), Time::Max() / 2);
        EXPECT_GT(RoundSteps(most) + Years(100), RoundSteps(most));
    }
}

TEST(Quantity, TextReadsBackToTheSame)
{
    EXPECT_EQ(FormatRate(DataRate("10Gbps")), "10Gbps");
    EXPECT_EQ(FormatRate(DataRate("2.5Gbps")), "2500Mbps");
    EXPECT_EQ(FormatRate(DataRate(uint64_t{0})), "0bps");
    EXPECT_EQ(FormatDuration(MicroSeconds(5)), "5us");
    EXPECT_EQ(FormatDuration(NanoSeconds(-1500)), "-1500ns");
    EXPECT_EQ(FormatDuration(Seconds(3600)), "3600s");
    EXPECT_EQ(FormatBytes(250000000), "250MB");
    EXPECT_EQ(FormatBytes(1048576), "1MiB");
    EXPECT_EQ(FormatBytes(1500), "1500B");
    EXPECT_EQ(FormatBytes(0), "0B");
    for (uint64_t bytes = 1; bytes < (uint64_t{1} << 62); bytes = bytes * 3 + 1)
    {
        EXPECT_EQ(Value(ParseBytes, FormatBytes(bytes)), bytes);
    }
}
