// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PLACE_ALL_H
#define DDL_PLACE_ALL_H

#include "ddl-placement-policy.h"

#include <optional>
#include <vector>

namespace ns3::ddl
{

/** A view of a cluster for trial changes: its destructor undoes them. */
class ScratchView
{
  public:
    explicit ScratchView(ClusterView& cluster);
    ~ScratchView();
    ScratchView(const ScratchView&) = delete;
    ScratchView& operator=(const ScratchView&) = delete;

    ClusterView& Get()
    {
        return m_cluster;
    }

    /**
     * Take a placement's GPUs and add its servers.
     *
     * \param job the job that takes the GPUs; none: they are reserved
     * \param placement the job's placement
     * \param memory bytes that each rank with a GPU takes; 0: the whole GPU
     * \param service time added to the load of each of the GPUs
     */
    void Occupy(std::optional<JobId> job,
                const Placement& placement,
                uint64_t memory,
                Time service = Time());
    /** Take GPUs and servers back from a job. \param job the job; none: they were reserved */
    void Vacate(std::optional<JobId> job, const Placement& placement, uint64_t memory);
    /** \return whether all ranks of a placement have room */
    bool HasRoomFor(const Placement& placement, uint64_t memory) const;

  private:
    struct Step
    {
        bool isTaken;
        std::optional<JobId> job;
        Placement placement;
        uint64_t memory;
        Time service;
    };

    void Change(const Step& step, bool take);

    ClusterView& m_cluster;
    std::vector<Step> m_steps;
};

/** A group whose jobs are to be placed together or not at all. */
struct GroupRequest
{
    std::vector<JobSpec> jobs;
    uint64_t iterations{0};     //!< iterations left of each job, for the loads that later jobs see
    std::vector<JobView> views; //!< views of the jobs, in their order
    Time now{};                 //!< present date
    const WaitHistory& waits{NO_WAITS};
};

/** \return the view of a job that asks for the first time. \param iterations its iterations, over
 * all stages */
JobView MakeJobView(const JobSpec& job, uint64_t iterations);

/** \return the request of a group that asks for the first time */
GroupRequest MakeRequest(const std::vector<JobSpec>& jobs, uint64_t iterations);

/** \return a placement policy's view of one job. \param job the job's position in the group */
PlacementView AsView(const ClusterView& cluster, const GroupRequest& request, std::size_t job);

/**
 * Place all jobs of a group, or none of them, since they start together.
 *
 * Jobs with a placement given by the user come first, so that no other job takes their GPUs. Then
 * the policy is asked job by job, each seeing the ones before it.
 *
 * \param policy the policy that places jobs without a given placement
 * \param cluster state of the cluster now; changed during the call, and restored at its end
 * \param request the group
 * \return one placement per job, in their order; or, when not all fit now, the policy's answer for
 *         the first that does not
 * \throws InputError when a given placement names a machine or GPU that the cluster does not have,
 *         or has the wrong size, or two of them share a GPU
 */
GroupAnswer PlaceGroup(Ptr<PlacementPolicy> policy,
                       ClusterView& cluster,
                       const GroupRequest& request);

} // namespace ns3::ddl

#endif // DDL_PLACE_ALL_H
