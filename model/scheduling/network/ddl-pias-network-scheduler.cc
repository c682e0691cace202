// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-network-scheduler.h"
#include "ddl-unit-order.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-policy-source.h"
#include "ns3/string.h"

#include <sstream>

namespace ns3::ddl
{

namespace
{

constexpr std::size_t MAX_DIGITS = 18; // numbers of 18 digits fit in 63 bits

/** \return the number in a text, or 0 if the text is no number */
uint64_t
ParseBytes(std::string text)
{
    text.erase(0, text.find_first_not_of(' '));
    text.erase(text.find_last_not_of(' ') + 1);
    const bool isNumber = !text.empty() && text.size() <= MAX_DIGITS &&
                          text.find_first_not_of("0123456789") == std::string::npos;
    return isNumber ? std::stoull(text) : 0;
}

} // namespace

/**
 * Information-agnostic flow scheduling: a flow begins with the first priority and falls by one with
 * each threshold of bytes that it passes (PIAS: Bai, Chen, Chen, Han, Tian, Wang, IEEE/ACM ToN
 * 25(4), 2017). A flow is one message of a stream.
 *
 * Machines do it by themselves, so there is no order, no coordinator and no message. Deviations:
 * bytes count when they have arrived, not when they are sent, which differs by at most a window;
 * thresholds are given, not optimised for a distribution of sizes. The defaults spread
 * the messages of Grouper's Table III over seven data queues; thresholds for short flows would put
 * every training flow in the lowest queue at once.
 */
class PiasNetworkScheduler : public NetworkScheduler
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::ddl::PiasNetworkScheduler")
                .SetParent<NetworkScheduler>()
                .SetGroupName("Ddl")
                .AddConstructor<PiasNetworkScheduler>()
                .AddAttribute(
                    "Thresholds",
                    "Bytes after which a flow falls by one priority each, ascending whole "
                    "numbers above 0, separated by commas",
                    StringValue("1000000,4000000,16000000,64000000,128000000,256000000"),
                    MakeStringAccessor(&PiasNetworkScheduler::m_thresholds),
                    MakeStringChecker());
        return tid;
    }

    std::string GetSummary() const override
    {
        return "flows fall with the bytes that they have sent, without coordinator (Bai et al. "
               "2017)";
    }

    UnitKind GetUnitKind() const override
    {
        return UnitKind::STAGE;
    }

    Trigger GetTrigger() const override
    {
        return Trigger::NEVER;
    }

    std::vector<uint64_t> GetDemotionThresholds() const override
    {
        std::vector<uint64_t> thresholds;
        std::istringstream list(m_thresholds);
        for (std::string item; std::getline(list, item, ',');)
        {
            const uint64_t bytes = ParseBytes(item);
            if (bytes <= (thresholds.empty() ? 0 : thresholds.back()))
            {
                throw InputError("pias: Thresholds \"" + m_thresholds +
                                 "\" must be ascending whole numbers of bytes above 0");
            }
            thresholds.push_back(bytes);
        }
        if (thresholds.empty())
        {
            throw InputError("pias: Thresholds must have at least one number of bytes");
        }
        return thresholds;
    }

  private:
    /** PIAS has no order of units: all of them form one group. */
    UnitOrder DoOrder(const SchedulerView& view) override
    {
        return view.units.empty() ? UnitOrder{} : UnitOrder{IndicesById(view)};
    }

    std::string m_thresholds;
};

NS_OBJECT_ENSURE_REGISTERED(PiasNetworkScheduler);
DDL_POLICY_SOURCE(PiasNetworkScheduler, "PIAS, ToN", 2017, "nothing");

} // namespace ns3::ddl
