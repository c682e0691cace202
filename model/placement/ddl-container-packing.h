// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_CONTAINER_PACKING_H
#define DDL_CONTAINER_PACKING_H

#include "ddl-placement-helpers.h"
#include "ddl-placement-policy.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::ddl
{

/** What Liquid charges for a plan: where it puts the containers of a job. */
struct PackingCost
{
    double lambda{0.5};   //!< weight of the distances; that of the loads is 1 - lambda
    double rack{1};       //!< distance of two nodes of one rack
    double network{4};    //!< distance of two racks
    bool meanLoad{false}; //!< the mean of the nodes' loads counts, not their sum
};

/** A job of a batch that is placed: its containers are its parameter servers and its workers. */
struct PackedJob
{
    JobId id;
    uint32_t workers{1};
    uint32_t servers{0};
    uint64_t memory{0};      //!< bytes that a container takes on its GPU; 0: the whole GPU
    bool serversHold{false}; //!< a parameter server takes a GPU, as a worker does
    double weight{1};        //!< by which its distances are multiplied
};

/**
 * The nodes of a cluster (servers, in the words of this module) and the containers of a batch of
 * jobs; what a plan costs, and whether it fits (Liquid §IV). A plan says for each container on
 * which node it is. Containers of a job are in the order in which they are placed one by one:
 * servers and workers interleaved in proportion, "p w w p w w".
 */
class ContainerPacking
{
  public:
    static constexpr uint32_t NOWHERE = UINT32_MAX;

    struct Container
    {
        uint32_t job;  //!< position in the batch
        bool isServer; //!< parameter server, or worker
        bool takesGpu;
    };

    /** Node of each container, or NOWHERE. */
    using Plan = std::vector<uint32_t>;

    /** \param cluster outlives this object \param jobs of the batch, in their order */
    ContainerPacking(const ClusterView& cluster,
                     std::vector<PackedJob> jobs,
                     const PackingCost& cost);

    uint32_t GetNodes() const
    {
        return static_cast<uint32_t>(m_nodes.size());
    }

    uint32_t GetJobs() const
    {
        return static_cast<uint32_t>(m_jobs.size());
    }

    /** \return false if the batch needs more GPUs than have room, so that no plan fits */
    bool MayFit() const;

    /** \return the containers, job by job */
    const std::vector<Container>& GetContainers() const
    {
        return m_containers;
    }

    /** \return a plan in which nothing is placed */
    Plan MakeEmpty() const
    {
        return Plan(m_containers.size(), NOWHERE);
    }

    /** \return whether the container fits on the node beside what the plan has there */
    bool Fits(const Plan& plan, uint32_t container, uint32_t node) const;

    /**
     * \param plan of which the job's containers may be placed in part
     * \param job position in the batch
     * \return lambda x weight x mean distance of its (server, worker) pairs, of its pairs of
     * workers when it has no servers, + (1 - lambda) x sum over the nodes that it uses of
     *         -(GPUs in use there, by the plan too) / (GPUs there). Less is better
     */
    double GetScore(const Plan& plan, uint32_t job) const;

    /** \return nodes with containers of the plan */
    std::vector<uint32_t> ListUsed(const Plan& plan) const;

    /**
     * Best fit (Liquid, Algorithm 1): the containers of a job, one by one, each on the node with
     * room on which the job's score is least so far; of equals, the first. O(containers x nodes^2)
     *
     * \return false when one has found no room; the job's containers are NOWHERE then
     */
    bool PlaceBestFit(Plan& plan, uint32_t job) const;

    /** \return the job's GPUs and machines under a plan that has all its containers, and fits */
    std::vector<Placement> MakePlacements(const Plan& plan) const;

  private:
    struct Node
    {
        MachineList machines;
        std::vector<const GpuView*> gpus;
        std::size_t free{0}; //!< GPUs, before the batch
    };

    bool FitAll(const Node& node, const std::vector<uint32_t>& containers) const;
    std::vector<std::pair<uint32_t, const GpuView*>> Assign(
        const Node& node,
        const std::vector<uint32_t>& containers) const;
    double GetDistance(uint32_t a, uint32_t b) const;

    const ClusterView& m_cluster;
    PackingCost m_cost;
    bool m_areWhole{true}; //!< each container that takes a GPU takes all of it
    std::vector<PackedJob> m_jobs;
    std::vector<Node> m_nodes;
    std::vector<Container> m_containers;
    std::vector<uint32_t> m_first; //!< by job: its first container; and the end
};

/**
 * \param groups that wait
 * \param areWeighed whether the distances of a job with an estimate weigh as many times as a worker
 *        is expected to receive 100 kB/s, rounded up (Liquid's program)
 * \return their jobs, in their order
 */
std::vector<PackedJob> ListPackedJobs(const std::vector<GroupQuestion>& groups,
                                      bool areWeighed = false);

} // namespace ns3::ddl

#endif // DDL_CONTAINER_PACKING_H
