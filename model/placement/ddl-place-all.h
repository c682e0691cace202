// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PLACE_ALL_H
#define DDL_PLACE_ALL_H

#include "ddl-placement-policy.h"

#include <optional>
#include <vector>

namespace ns3::ddl
{

/** A cluster's view as scratch paper: what is changed on it is undone when this object goes. */
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
     * \param memory bytes that each worker takes; 0: the whole GPU
     * \param service added to the load of each of the GPUs
     */
    void Occupy(const Placement& placement, uint64_t memory, Time service = Time());
    /** Take back what holds it now. */
    void Vacate(const Placement& placement, uint64_t memory);
    /** \return whether all its workers may go where it says */
    bool HasRoomFor(const Placement& placement, uint64_t memory) const;

  private:
    struct Step
    {
        bool isTaken;
        Placement placement;
        uint64_t memory;
        Time service;
    };

    void Change(const Step& step, bool take);

    ClusterView& m_cluster;
    std::vector<Step> m_steps;
};

/**
 * Place all jobs of a cojob, or none of them, since they start together.
 *
 * Jobs whose placement the user gave come first, so that no other job takes their GPUs; then the
 * policy is asked job by job, each seeing the ones before it.
 *
 * \param policy asked for jobs without a given placement
 * \param cluster its state now; serves as scratch paper, and is in the end what it was
 * \param jobs of one cojob
 * \param iterations of each, for the loads that jobs leave for the ones after them
 * \return a placement a job, in their order; nothing when not all fit now
 * \throws InputError when a given placement names what the cluster does not have, or has the wrong
 *         size, or two of them share a GPU
 */
std::optional<std::vector<Placement>> PlaceAll(Ptr<PlacementPolicy> policy,
                                               ClusterView& cluster,
                                               const std::vector<JobSpec>& jobs,
                                               uint64_t iterations = 0);

} // namespace ns3::ddl

#endif // DDL_PLACE_ALL_H
