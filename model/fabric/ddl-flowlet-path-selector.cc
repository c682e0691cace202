// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-path-selector.h"

#include <unordered_map>

namespace ns3::ddl
{

/**
 * LetFlow (Vanini et al., Let It Flow, NSDI 2017): a flow keeps its port while its packets follow
 * each other within Gap; after a longer pause the next one takes a random port. A flow is what has
 * one flow hash, towards one destination. Its table has no limit; entries go with the routes.
 */
class FlowletPathSelector : public PathSelector
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::FlowletPathSelector")
                                .SetParent<PathSelector>()
                                .SetGroupName("Ddl")
                                .AddConstructor<FlowletPathSelector>()
                                .AddAttribute("Gap",
                                              "Pause of a flow after which it may take another "
                                              "port; longer than paths differ in delay.",
                                              TimeValue(MicroSeconds(100)),
                                              MakeTimeAccessor(&FlowletPathSelector::m_gap),
                                              MakeTimeChecker(NanoSeconds(1), Seconds(1000)));
        return tid;
    }

    std::string GetSummary() const override
    {
        return "a random port after each pause of the flow (LetFlow, Vanini et al. 2017)";
    }

    PathSpread GetSpread() const override
    {
        return PathSpread::STATE;
    }

    bool BreaksOrder() const override
    {
        return false; // while the gap is longer than paths differ
    }

  private:
    struct Flowlet
    {
        Time last{-1};    //!< arrival of its last packet
        uint32_t port{0}; //!< index of its port
    };

    uint32_t DoChoose(const PathQuery& query) override
    {
        const uint64_t key = uint64_t{query.frame.destination} << 32 | query.frame.flowHash;
        const auto [entry, isNew] = m_flowlets.try_emplace(key);
        Flowlet& flowlet = entry->second;
        if (isNew || query.now - flowlet.last > m_gap)
        {
            flowlet.port = Draw(query.count);
        }
        flowlet.last = query.now;
        return flowlet.port;
    }

    void DoReset() override
    {
        m_flowlets.clear();
    }

    Time m_gap;
    std::unordered_map<uint64_t, Flowlet> m_flowlets; //!< by destination and hash; never iterated
};

NS_OBJECT_ENSURE_REGISTERED(FlowletPathSelector);

} // namespace ns3::ddl
