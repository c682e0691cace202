// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-path-selector.h"

#include "ns3/uinteger.h"

namespace ns3::ddl
{

/**
 * Adaptive routing by the switch's own queues: each packet takes the port with the least backlog
 * (PathQuery::GetBacklog), of all or of a random sample of two, as in DRILL (Ghorbani et al.,
 * SIGCOMM 2017) without memory. Ports with equal backlogs are equally likely.
 */
class AdaptivePathSelector : public PathSelector
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::ddl::AdaptivePathSelector")
                .SetParent<PathSelector>()
                .SetGroupName("Ddl")
                .AddConstructor<AdaptivePathSelector>()
                .AddAttribute("Samples",
                              "Number of random ports of which the one with the least backlog is "
                              "taken; 0: of all ports.",
                              UintegerValue(0),
                              MakeUintegerAccessor(&AdaptivePathSelector::m_samples),
                              MakeUintegerChecker<uint32_t>(0, 64));
        return tid;
    }

    std::string GetSummary() const override
    {
        return "each packet by the port with the least backlog, of all or of two (Ghorbani et al. "
               "2017)";
    }

    PathSpread GetSpread() const override
    {
        return PathSpread::STATE;
    }

  private:
    uint32_t DoChoose(const PathQuery& query) override
    {
        const bool takesAll = m_samples == 0 || m_samples >= query.count;
        const uint32_t tries = takesAll ? query.count : m_samples;
        uint32_t best = 0;
        uint64_t least = 0;
        uint32_t equals = 0; // ports seen so far with the least backlog
        for (uint32_t i = 0; i < tries; ++i)
        {
            const uint32_t port = takesAll ? i : Draw(query.count);
            const uint64_t backlog = query.GetBacklog(port);
            if (i == 0 || backlog < least)
            {
                best = port;
                least = backlog;
                equals = 1;
            }
            else if (backlog == least && Draw(++equals) == 0)
            {
                best = port;
            }
        }
        return best;
    }

    uint32_t m_samples;
};

NS_OBJECT_ENSURE_REGISTERED(AdaptivePathSelector);

} // namespace ns3::ddl
