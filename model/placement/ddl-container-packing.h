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

/** The weights in Liquid's cost of a plan, which places the containers of jobs on nodes. */
struct PackingCost
{
    double lambda{0.5};   //!< weight of the distances; the weight of the loads is 1 - lambda
    double rack{1};       //!< distance of two nodes in one rack
    double network{4};    //!< distance of two nodes in different racks
    bool meanLoad{false}; //!< whether the mean of the nodes' loads counts, not their sum
};

/** A job of a batch that is placed together. Its parameter servers and workers are containers. */
struct PackedJob
{
    uint32_t workers{1};
    uint32_t servers{0};
    uint64_t memory{0};      //!< bytes that a container takes on its GPU; 0: the whole GPU
    bool serversHold{false}; //!< whether a parameter server takes a GPU, as a worker does
    double weight{1};        //!< factor of the job's distances
};

/**
 * The nodes of a cluster, which are its servers (chassis), and the containers of a batch of jobs;
 * what a plan costs, and whether it fits (Liquid §IV). A plan assigns a node to each container.
 * Containers of a job are in the order in which they are placed one by one: parameter servers and
 * workers interleaved in proportion, "p w w p w w".
 */
class ContainerPacking
{
  public:
    static constexpr uint32_t NOWHERE = UINT32_MAX;

    struct Container
    {
        uint32_t job;  //!< position of its job in the batch
        bool isServer; //!< whether it is a parameter server, or a worker
        bool takesGpu;
    };

    /** The node of each container, or NOWHERE. */
    using Plan = std::vector<uint32_t>;

    /** \param cluster the cluster, outlives this object \param jobs the jobs of the batch
     * \param cost the weights in the cost */
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

    /** \return false if the batch needs more GPUs than have room, so that no plan can fit */
    bool MayFit() const;

    /** \return the containers of all jobs, job by job */
    const std::vector<Container>& GetContainers() const
    {
        return m_containers;
    }

    /** \return a plan in which no container is placed */
    Plan MakeEmpty() const
    {
        return Plan(m_containers.size(), NOWHERE);
    }

    /** \return whether a container fits on a node beside those that the plan has there */
    bool Fits(const Plan& plan, uint32_t container, uint32_t node) const;

    /**
     * \param plan a plan, which may place only some of the job's containers
     * \param job position of the job in the batch
     * \return lambda x weight x mean distance of its (parameter server, worker) pairs, or of its
     *         pairs of workers without parameter servers, + (1 - lambda) x sum over the nodes that
     *         it uses of -(GPUs in use there, by the plan too) / (GPUs there). Less is better
     */
    double GetScore(const Plan& plan, uint32_t job) const;

    /** \return the nodes on which the plan has containers */
    std::vector<uint32_t> ListUsed(const Plan& plan) const;

    /**
     * Best fit (Liquid, Algorithm 1): place the containers of a job one by one, each on the node
     * with room on which the job's score is least so far; of equals, the first.
     * O(containers x nodes^2)
     *
     * \return false when a container has found no room; the job's containers are NOWHERE then
     */
    bool PlaceBestFit(Plan& plan, uint32_t job) const;

    /** \return the GPUs and machines of each job. \param plan a plan that places all containers,
     * and fits */
    std::vector<Placement> MakePlacements(const Plan& plan) const;

  private:
    struct Node
    {
        MachineList machines;
        std::vector<const GpuView*> gpus;
        std::size_t free{0}; //!< number of GPUs with room, before the batch
    };

    bool FitAll(const Node& node, const std::vector<uint32_t>& containers) const;
    std::vector<std::pair<uint32_t, const GpuView*>> Assign(
        const Node& node,
        const std::vector<uint32_t>& containers) const;
    double GetDistance(uint32_t a, uint32_t b) const;

    const ClusterView& m_cluster;
    PackingCost m_cost;
    bool m_areWhole{true}; //!< whether no container shares its GPU
    std::vector<PackedJob> m_jobs;
    std::vector<Node> m_nodes;
    std::vector<Container> m_containers;
    std::vector<uint32_t> m_first; //!< index of each job's first container; and the end
};

/**
 * \param groups the waiting groups
 * \param areWeighed whether the weight of a job with an estimate is the rate that a worker is
 *        expected to receive, in units of 100 kB/s, rounded up (Liquid's program)
 * \return the jobs of the groups, in their order
 */
std::vector<PackedJob> ListPackedJobs(const std::vector<GroupQuestion>& groups,
                                      bool areWeighed = false);

} // namespace ns3::ddl

#endif // DDL_CONTAINER_PACKING_H
