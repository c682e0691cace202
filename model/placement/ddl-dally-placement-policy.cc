// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-delay-tuner.h"
#include "ddl-placement-policy.h"
#include "ddl-tier-fit.h"

#include "ns3/boolean.h"
#include "ns3/ddl-policy-source.h"
#include "ns3/double.h"

#include <algorithm>
#include <string>

namespace ns3::ddl
{

/**
 * `dally`: delay scheduling over servers, racks and the network (Dally, IEEE Big Data 2025,
 * Algorithms 1 and 2).
 *
 * A job takes GPUs of one server whenever there are enough. Otherwise it declines, until it has
 * waited for its machine timer; then it takes GPUs of one rack; and when it has waited for its rack
 * timer, any. Timers that no place could satisfy are 0: the machine timer of a job that is larger
 * than the largest server, both of one that is larger than the largest rack. A tuner sets them by
 * the waits of jobs of the same size; without it they are the attributes.
 *
 * A job gives back its GPUs at the end of a lease unless it would get them again: one in a rack
 * that fits a server then waits for one, as if it had just come (KeepPlace).
 *
 * The paper leaves open which server a job takes, which waits are too old, the timers where nobody
 * has waited, and when a wait begins; doc/dally.md lists our choices and the authors' simulator's.
 */
class DallyPlacementPolicy : public PlacementPolicy
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override
    {
        return "waits for a server, then for a rack, as long as timers say that are tuned by past "
               "waits (Dally)";
    }

    PlacementWishes GetWishes() const override
    {
        PlacementWishes wishes;
        wishes.ignoresLoads = true;
        wishes.looksAtJobs = true;
        wishes.takesBackLeases = true;
        return wishes;
    }

  private:
    PlacementAnswer DoPlace(const PlacementView& view) override;
    PlacementAnswer AnswerByTimers(const PlacementView& view,
                                   const TierFit& fit,
                                   const DelayTimers& timers) const;
    DelayTimers GetTimers(const PlacementView& view, const TierFit& fit) const;
    Time GetStarvation(const PlacementView& view) const;
    PlacementAnswer Wait(const PlacementView& view, Time timer, const std::string& site) const;

    Time m_machineTimer;
    Time m_rackTimer;
    bool m_tuned{true};
    bool m_consolidated{false};
    Time m_history; //!< window of the tuner in a cluster of one rack
    bool m_byLength{false};
    bool m_isSample{true};
    bool m_addsNetwork{false};
    bool m_addsRenewals{false};
    Time m_leastWait;
    Time m_leastMachineTimer;
    Time m_leastRackTimer;
    double m_mostMachineTimer{0};
    double m_mostRackTimer{0};
    bool m_areOrdered{false};
    bool m_sinceStart{false};
    bool m_keepsPlace{false};
    bool m_bestFit{true};
};

NS_OBJECT_ENSURE_REGISTERED(DallyPlacementPolicy);
DDL_POLICY_SOURCE(DallyPlacementPolicy, "Dally, Big Data", 2025, "past waits");

TypeId
DallyPlacementPolicy::GetTypeId()
{
    using Self = DallyPlacementPolicy;
    static TypeId tid =
        TypeId("ns3::ddl::DallyPlacementPolicy")
            .SetParent<PlacementPolicy>()
            .SetGroupName("Ddl")
            .AddConstructor<DallyPlacementPolicy>()
            .AddAttribute("MachineTimer",
                          "time for which a job waits for a server, where timers are not tuned "
                          "or no wait has been seen yet; scaled by m x i",
                          TimeValue(Hours(12)),
                          MakeTimeAccessor(&Self::m_machineTimer),
                          MakeTimeChecker(Time(0)))
            .AddAttribute(
                "RackTimer",
                "time for which it waits for a rack, counted from the beginning of its wait; "
                "scaled by m x i",
                TimeValue(Hours(24)),
                MakeTimeAccessor(&Self::m_rackTimer),
                MakeTimeChecker(Time(0)))
            .AddAttribute("Tuned",
                          "whether timers follow past waits; false: they are the two constants "
                          "above",
                          BooleanValue(true),
                          MakeBooleanAccessor(&Self::m_tuned),
                          MakeBooleanChecker())
            .AddAttribute("Consolidated",
                          "whether a job waits, however long, for the nearest tier that it fits; "
                          "timers have no effect then",
                          BooleanValue(false),
                          MakeBooleanAccessor(&Self::m_consolidated),
                          MakeBooleanChecker())
            .AddAttribute("History",
                          "age up to which past waits count, in a cluster of one rack; divided "
                          "by the number of racks; scaled by m x i",
                          TimeValue(Hours(384)),
                          MakeTimeAccessor(&Self::m_history),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("HistoryByLength",
                          "whether waits longer than the history are left out, as printed; "
                          "false: older waits are",
                          BooleanValue(false),
                          MakeBooleanAccessor(&Self::m_byLength),
                          MakeBooleanChecker())
            .AddAttribute(
                "SampleDeviation",
                "whether the deviation of waits is that of a sample; false: of a population",
                BooleanValue(true),
                MakeBooleanAccessor(&Self::m_isSample),
                MakeBooleanChecker())
            .AddAttribute("NetworkWaits",
                          "whether waits before placements across racks count as waits for a rack; "
                          "else they do not count",
                          BooleanValue(false),
                          MakeBooleanAccessor(&Self::m_addsNetwork),
                          MakeBooleanChecker())
            .AddAttribute("RenewalWaits",
                          "whether a lease that is renewed in place counts as a wait of 0 for that "
                          "place, as if the job had taken an offer (Algorithm 1 lines 7, 15)",
                          BooleanValue(false),
                          MakeBooleanAccessor(&Self::m_addsRenewals),
                          MakeBooleanChecker())
            .AddAttribute("LeastWait",
                          "shortest past wait that counts; scaled by m x i. A lease, in the "
                          "program of the authors",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&Self::m_leastWait),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("LeastMachineTimer",
                          "lower bound of the tuned machine timer; scaled by m x i",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&Self::m_leastMachineTimer),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("LeastRackTimer",
                          "lower bound of the tuned rack timer; scaled by m x i",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&Self::m_leastRackTimer),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("MostMachineTimer",
                          "upper bound of the tuned machine timer, as a part of the history; 0: "
                          "none",
                          DoubleValue(0),
                          MakeDoubleAccessor(&Self::m_mostMachineTimer),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("MostRackTimer",
                          "upper bound of the tuned rack timer, as a part of the history; 0: none",
                          DoubleValue(0),
                          MakeDoubleAccessor(&Self::m_mostRackTimer),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("OrderedTimers",
                          "whether a rack timer is raised to the machine timer if it is shorter",
                          BooleanValue(false),
                          MakeBooleanAccessor(&Self::m_areOrdered),
                          MakeBooleanChecker())
            .AddAttribute("SinceStart",
                          "whether a wait begins when the job last got GPUs, as printed; false: "
                          "when it last lost them",
                          BooleanValue(false),
                          MakeBooleanAccessor(&Self::m_sinceStart),
                          MakeBooleanChecker())
            .AddAttribute("KeepPlace",
                          "whether a job that finds its last GPUs free takes them again if no "
                          "server has room",
                          BooleanValue(false),
                          MakeBooleanAccessor(&Self::m_keepsPlace),
                          MakeBooleanChecker())
            .AddAttribute("BestFit",
                          "whether a job takes the server, or rack, with the least room; false: "
                          "the first one",
                          BooleanValue(true),
                          MakeBooleanAccessor(&Self::m_bestFit),
                          MakeBooleanChecker());
    return tid;
}

PlacementAnswer
DallyPlacementPolicy::DoPlace(const PlacementView& view)
{
    const TierFit fit(view);
    if (auto placement = fit.FindServer(m_bestFit)) // lines 5 to 9
    {
        return placement;
    }
    if (auto own = m_keepsPlace ? fit.FindOwn() : std::nullopt)
    {
        return own;
    }
    const DelayTimers timers = GetTimers(view, fit); // line 4
    PlacementAnswer answer = AnswerByTimers(view, fit, timers);
    if (!m_consolidated)
    {
        answer.timers = timers;
    }
    return answer;
}

/** \return the answer for a job that no server has room for */
PlacementAnswer
DallyPlacementPolicy::AnswerByTimers(const PlacementView& view,
                                     const TierFit& fit,
                                     const DelayTimers& timers) const
{
    const Time starvation = GetStarvation(view); // line 2
    if (starvation < timers.machine)             // lines 10 to 12
    {
        return Wait(view, timers.machine, "server");
    }
    if (auto placement = fit.FindRack(m_bestFit)) // lines 13 to 17
    {
        return placement;
    }
    if (starvation < timers.rack) // lines 18 to 20
    {
        return Wait(view, timers.rack, "rack");
    }
    return fit.FindAny(); // line 21
}

/** \return time for which the job has had no GPUs; as printed, time since it last got some */
Time
DallyPlacementPolicy::GetStarvation(const PlacementView& view) const
{
    return m_sinceStart && view.job.lastStart ? view.now - *view.job.lastStart : view.job.waited;
}

/** \return the job's timers; 0 for a tier that the job is too large for */
DelayTimers
DallyPlacementPolicy::GetTimers(const PlacementView& view, const TierFit& fit) const
{
    DelayTimers timers{m_machineTimer, m_rackTimer};
    if (m_tuned)
    {
        DelayTuner tuner;
        tuner.fallback = timers;
        tuner.history = m_history / int64x64_t(std::max(fit.CountRacks(), 1U));
        tuner.byLength = m_byLength;
        tuner.isSample = m_isSample;
        tuner.addsNetwork = m_addsNetwork;
        tuner.addsRenewals = m_addsRenewals;
        tuner.leastWait = m_leastWait;
        tuner.least = {m_leastMachineTimer, m_leastRackTimer};
        tuner.mostMachine = m_mostMachineTimer;
        tuner.mostRack = m_mostRackTimer;
        timers = tuner.GetTimers(view.waits, view.workers, view.now);
    }
    if (m_consolidated)
    {
        timers = {Time::Max(), Time::Max()};
    }
    else if (m_areOrdered)
    {
        timers.rack = Max(timers.rack, timers.machine);
    }
    timers.machine = view.workers > fit.GetLargestServer() ? Time() : timers.machine;
    timers.rack = view.workers > fit.GetLargestRack() ? Time() : timers.rack;
    return timers;
}

/** \return the answer that the job declines until it has waited for that long; Time::Max(): until
 * something changes */
PlacementAnswer
DallyPlacementPolicy::Wait(const PlacementView& view, Time timer, const std::string& site) const
{
    const std::string why =
        "no " + site + " has " + std::to_string(view.workers) + " GPUs with room";
    return timer == Time::Max()
               ? PlacementAnswer::Decline(why)
               : PlacementAnswer::WaitUntil(view.now + timer - GetStarvation(view), why);
}

} // namespace ns3::ddl
