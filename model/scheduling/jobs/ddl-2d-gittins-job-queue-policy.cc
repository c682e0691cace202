// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-attained-service-job-queue-policy.h"
#include "ddl-gittins-index.h"

#include "ns3/attribute-container.h"
#include "ns3/boolean.h"
#include "ns3/ddl-list-accessor.h"
#include "ns3/ddl-policy-source.h"

namespace ns3::ddl
{

/**
 * `2d-gittins`: the job that most likely ends soon first, by the services of past jobs (Discretized
 * 2D-Gittins of Tiresias, NSDI 2019, §3.2 and §3.3).
 *
 * The queues are those of `2d-las`. Within each the greatest Gittins index is first, of equals who
 * arrived first, and who is behind gives way, as in the authors' simulator (`dlas-gpu-gittins`).
 * Where no service of a past job is known, the order is that of `2d-las`, as in Pseudocode 1.
 */
class TwoDimensionalGittinsJobQueuePolicy : public AttainedServiceJobQueuePolicy
{
  public:
    static TypeId GetTypeId()
    {
        using Self = TwoDimensionalGittinsJobQueuePolicy;
        static TypeId tid =
            TypeId("ns3::ddl::2dGittinsJobQueuePolicy")
                .SetParent<AttainedServiceJobQueuePolicy>()
                .SetGroupName("Ddl")
                .AddConstructor<Self>()
                .AddAttribute(
                    "Services",
                    "GPU times of past jobs, all equally likely; if there are none, what the jobs "
                    "of the scenario compute, times their GPUs; scaled by m x i",
                    AttributeContainerValue<TimeValue>(),
                    MakeListAccessor<TimeValue>(&Self::m_services),
                    MakeAttributeContainerChecker<TimeValue>(MakeTimeChecker(NanoSeconds(1))))
                .AddAttribute("Quantum",
                              "service quantum of the index, in GPU time; 0: the one that gives "
                              "the greatest index, as printed; scaled by m x i (3250s in Tiresias' "
                              "simulator)",
                              TimeValue(Time(0)),
                              MakeTimeAccessor(&Self::m_quantum),
                              MakeTimeChecker(Time(0)))
                .AddAttribute("WholeService",
                              "whether the mean of the index counts the whole service of jobs that "
                              "end within the quantum, as in Tiresias' simulator and its Figure 7; "
                              "false: what is left of it, as printed",
                              BooleanValue(false),
                              MakeBooleanAccessor(&Self::m_countsWhole),
                              MakeBooleanChecker());
        return tid;
    }

    std::string GetSummary() const override
    {
        return "greatest Gittins index first, by the GPU times of past jobs, in the queues of "
               "2d-las; takes GPUs (Tiresias)";
    }

    bool WantsServices() const override
    {
        return m_services.empty();
    }

    void NoteServices(const std::vector<Time>& services) override
    {
        m_services = services;
        m_index.reset();
    }

  private:
    double GetPriorityIn(std::size_t queue, const GroupView& group) const override
    {
        const GittinsIndex& index = GetIndex();
        if (index.IsEmpty())
        {
            return HasQueues() ? queue : group.attained.GetSeconds();
        }
        constexpr double LONGEST = 1e10; // seconds; longer than any simulation
        const std::size_t place = queue * index.CountRanks() + index.GetRank(group.attained);
        return place * LONGEST + group.submit.GetSeconds();
    }

    std::optional<Time> GetNextChangeInQueue(const GroupView& group) const override
    {
        const GittinsIndex& index = GetIndex();
        if (index.IsEmpty() && !HasQueues())
        {
            return std::nullopt; // it changes all the time
        }
        const Time change = index.GetNextChange(group.attained);
        return change == Time::Max() ? change : GetTimeUntil(change - group.attained, group);
    }

    /** \return the index, computed when the first group asks for it */
    const GittinsIndex& GetIndex() const
    {
        if (!m_index)
        {
            m_index = GittinsIndex(m_services, {m_quantum, m_countsWhole});
        }
        return *m_index;
    }

    std::vector<Time> m_services;
    Time m_quantum;
    bool m_countsWhole{false};
    mutable std::optional<GittinsIndex> m_index; //!< none: nobody has asked yet
};

NS_OBJECT_ENSURE_REGISTERED(TwoDimensionalGittinsJobQueuePolicy);
DDL_POLICY_SOURCE(TwoDimensionalGittinsJobQueuePolicy,
                  "Tiresias, NSDI",
                  2019,
                  "GPU times of past jobs");

} // namespace ns3::ddl
