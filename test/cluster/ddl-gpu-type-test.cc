// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-error.h"
#include "ns3/ddl-gpu-type.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;

TEST(GpuType, KnownOnesAreRelativeToAV100)
{
    EXPECT_EQ(FindGpuType("V100").speed, 1);
    // ResNet-50 in Hare §II-B: a T4 twice, a V100 seven times as fast as a K80
    EXPECT_DOUBLE_EQ(FindGpuType("T4").speed / FindGpuType("K80").speed, 2);
    EXPECT_DOUBLE_EQ(FindGpuType("V100").speed / FindGpuType("K80").speed, 7);
    for (const GpuType& type : ListGpuTypes())
    {
        EXPECT_GT(type.speed, 0) << type.name;
        EXPECT_LE(type.speed, 1) << type.name;
    }
}

TEST(GpuType, HareModelsHaveSpeedsOfTheirOwn)
{
    // GraphSAGE: a V100 is twice as fast as a K80 (Hare §II-B); image networks are as ResNet-50
    const Time task = MilliSeconds(28);
    EXPECT_EQ(FindGpuType("K80").GetTime(task, "Hare-GraphSAGE"), MilliSeconds(56));
    EXPECT_EQ(FindGpuType("V100").GetTime(task, "Hare-GraphSAGE"), task);
    EXPECT_EQ(FindGpuType("K80").GetTime(task, "Hare-VGG19"), MilliSeconds(196));
    EXPECT_DOUBLE_EQ(FindGpuType("T4").GetSpeed("Hare-BERT-base"), 1.8 / 5.5);
    EXPECT_DOUBLE_EQ(FindGpuType("M60").GetSpeed("Hare-DeepSpeech"), 1.1 / 5);
}

TEST(GpuType, AnUnknownOneIsSaidWithTheMenu)
{
    try
    {
        FindGpuType("V10");
        FAIL() << "found";
    }
    catch (const InputError& error)
    {
        EXPECT_STREQ(
            error.what(),
            "unknown GPU type \"V10\" (one of K80, M60, T4, V100); did you mean \"V100\"?");
    }
}

TEST(GpuType, ATaskTakesItsTimeOverTheSpeed)
{
    const GpuType type{"X", 0.4, {{"GraphSAGE", 0.5}}};
    EXPECT_EQ(type.GetTime(MilliSeconds(10), "ResNet-50"), MilliSeconds(25));
    EXPECT_EQ(type.GetTime(MilliSeconds(10), "GraphSAGE"), MilliSeconds(20));
    EXPECT_EQ(GpuType{}.GetTime(NanoSeconds(123456789012345677), "any"),
              NanoSeconds(123456789012345677)); // exact
    const GpuType slow{"Y", 1e-300, {}};
    EXPECT_GT(slow.GetTime(Seconds(1), "any"), Time::Max() / 4); // no overflow
}
