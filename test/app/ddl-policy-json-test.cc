// SPDX-License-Identifier: GPL-2.0-only
#include "app/json/ddl-json-policy.h"
#include "ddl-process-state.h"

#include "ns3/config.h"
#include "ns3/data-rate.h"
#include "ns3/ddl-queue-scheduler.h"
#include "ns3/double.h"
#include "ns3/nstime.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/string.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;

TEST(PolicyJson, APolicyWithoutAttributesIsItsName)
{
    ObjectFactory factory("ns3::ddl::StrictPriorityQueueScheduler");
    EXPECT_EQ(PolicyJson(QueueScheduler::GetTypeId(), factory), Json("strict-priority"));
}

TEST(PolicyJson, AttributesAreWrittenWhetherTheyAreGivenOrNot)
{
    ObjectFactory factory("ns3::ddl::MixedQueueScheduler");
    factory.Set("StrictQueues", StringValue("2"));
    const Json json = PolicyJson(QueueScheduler::GetTypeId(), factory);
    EXPECT_EQ(json["type"], "mixed");
    EXPECT_EQ(json["StrictQueues"], 2) << "a number, as users write it";
    EXPECT_EQ(json["Rest"], "dwrr") << "its default";
}

TEST(PolicyJson, NoDigitIsLost)
{
    EXPECT_EQ(FormatAttribute(TimeValue(NanoSeconds(123456789)), MakeTimeChecker()), "123456789ns");
    EXPECT_EQ(FormatAttribute(DoubleValue(0.1234567891), MakeDoubleChecker<double>()),
              "0.1234567891");
}

TEST(PolicyJson, AChangedDefaultIsWritten)
{
    const ProcessStateGuard guard;
    Config::SetDefault("ns3::ddl::MixedQueueScheduler::Rest", StringValue("wrr"));
    ObjectFactory factory("ns3::ddl::MixedQueueScheduler");
    EXPECT_EQ(PolicyJson(QueueScheduler::GetTypeId(), factory)["Rest"], "wrr");
}

namespace
{

/** Has defaults that are given as texts. */
class Sample : public Object
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::PolicyJsonSample")
                                .SetParent<Object>()
                                .AddConstructor<Sample>()
                                .AddAttribute("Rate",
                                              "",
                                              StringValue("500kb/s"),
                                              MakeDataRateAccessor(&Sample::m_rate),
                                              MakeDataRateChecker())
                                .AddAttribute("Noise",
                                              "",
                                              StringValue("ns3::ConstantRandomVariable"),
                                              MakePointerAccessor(&Sample::m_noise),
                                              MakePointerChecker<RandomVariableStream>());
        return tid;
    }

  private:
    DataRate m_rate;
    Ptr<RandomVariableStream> m_noise;
};

} // namespace

TEST(PolicyJson, ADefaultGivenAsTextIsWrittenAsTheValueThatItIs)
{
    ObjectFactory factory;
    factory.SetTypeId(Sample::GetTypeId());
    const std::vector<std::pair<std::string, Json>> wanted{{"Rate", "500kbps"}};
    EXPECT_EQ(AttributesOf(factory), wanted) << "a pointer has no text";
}
