// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-policy-json.h"
#include "ns3/ddl-queue-scheduler.h"
#include "ns3/string.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;

TEST(PolicyJson, APolicyWithoutAttributesIsItsName)
{
    ObjectFactory factory("ns3::ddl::WrrQueueScheduler");
    EXPECT_EQ(PolicyJson(QueueScheduler::GetTypeId(), factory), Json("wrr"));
}

TEST(PolicyJson, AttributesAreWrittenAsTheyWereGiven)
{
    ObjectFactory factory("ns3::ddl::MixedQueueScheduler");
    factory.Set("StrictQueues", StringValue("2"));
    factory.Set("Rest", StringValue("wrr"));
    EXPECT_EQ(PolicyJson(QueueScheduler::GetTypeId(), factory).dump(),
              R"({"type":"mixed","StrictQueues":"2","Rest":"wrr"})");
}
