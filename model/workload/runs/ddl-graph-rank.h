// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_GRAPH_RANK_H
#define DDL_GRAPH_RANK_H

#include "ddl-graph-plan.h"
#include "ddl-rank.h"

#include "ns3/ddl-gpu-type.h"
#include "ns3/event-id.h"

#include <deque>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

namespace ns3::ddl
{

/**
 * A worker whose iteration is a task graph: it begins each node when those before it have ended or
 * started. It knows only its own nodes, and learns of other ranks by what arrives.
 *
 * Computing nodes of a lane run one after the other, in the order in which they could begin; all
 * GPU lanes are one, since a GPU runs one task at a time. What sends and receives is not limited. A
 * send ends when its message is acknowledged, a receive when the message is there, a collective
 * when all transfers of this rank are over. Without a GPU, and in lanes of the CPU, nodes take time
 * only.
 *
 * Messages of later iterations are kept until this rank gets there.
 */
class GraphRank : public WorkerRank
{
  public:
    /**
     * \param rank its number
     * \param gpu its GPU; null: it computes without one
     * \param type type of the GPU of its machine
     * \param plan the plan of its run
     * \param noise noise of its compute times, one factor an iteration; outlives it
     * \param model name of the model, for the speed of the GPU
     */
    GraphRank(uint32_t rank,
              Ptr<Gpu> gpu,
              const GpuType& type,
              std::shared_ptr<const GraphPlan> plan,
              TaskTimes& noise,
              const std::string& model);

    void Arrive(uint64_t iteration, uint32_t slot) override;
    void Acknowledged(uint64_t iteration, uint32_t token) override;
    void Admit() override;

    /** \return false: it counts its own transfers where it has to */
    bool WaitsForOwn() const override
    {
        return false;
    }

  private:
    /** A collective that has begun here, or of which something has arrived. */
    struct Running
    {
        const JobPlan* all{nullptr};   //!< what all members do
        const RankPlan* plan{nullptr}; //!< what this rank does
        std::vector<uint32_t> missing; //!< what each group of sends waits for, as Rank counts it
        uint32_t inbound{0};           //!< transfers that have not arrived
        uint32_t unsent{0};            //!< groups that have not gone out
        uint32_t outbound{0};          //!< transfers that are not acknowledged, if any must be
        bool hasBegun{false};
    };

    /** An iteration that has begun, or of which something has arrived. */
    struct Iteration
    {
        std::vector<uint32_t> missing; //!< edges that each node waits for; empty: it has not begun
        uint32_t left{0};              //!< nodes that have not ended
        uint32_t computing{0};         //!< those of them that compute
        std::unordered_map<uint32_t, Running> running; //!< collectives, by node
        /** By slot: the receive that waits for a message, or HERE if that came first. */
        std::unordered_map<uint32_t, uint32_t> inboxes;
    };

    static constexpr uint32_t HERE = UINT32_MAX;

    /** A lane whose nodes compute. */
    struct Lane
    {
        std::deque<uint32_t> nodes; //!< nodes that may begin; front: the running one
        EventId end;                //!< its end, if it runs on no GPU
    };

    /** A transfer whose acknowledgement means something here. */
    struct Awaited
    {
        uint32_t node{0};
        uint32_t echo{0}; //!< slot of the collective that it fills, or RankPlan::NO_ECHO
    };

    void Compute() override;
    bool IsComplete() override;
    void DoHalt() override;

    const GraphProgram& GetProgram() const
    {
        return *m_own.program;
    }

    Iteration& Find(uint64_t iteration);
    Iteration& GetNow();
    void Free(uint32_t begin, uint32_t end);
    void Begin(uint32_t node);
    void End(uint32_t node);
    void Work(); //!< begin what may begin, until nothing is left that may
    void Communicate(uint32_t node);
    void BeginCompute(uint32_t node);
    void RunLane(uint32_t lane);
    void EndCompute(uint32_t lane);
    void EndOnGpu();
    Running& FindRunning(Iteration& iteration, uint32_t node);
    void Ask();
    void Fill(uint32_t node, Running& running, uint32_t slot);
    void Satisfy(uint32_t node, Running& running, uint32_t group);
    void CheckCollective(uint32_t node, Running& running);
    void BeginCollective(uint32_t node);
    void Receive(uint32_t node);
    /** \return number by which the acknowledgement of a transfer is known */
    uint32_t Await(const Awaited& awaited);

    const std::shared_ptr<const GraphPlan> m_plan;
    const RankGraph& m_own;
    const GraphEdges& m_edges;
    Ptr<Gpu> m_gpu;
    const GpuType& m_type;
    TaskTimes& m_noise;
    std::string m_model;
    uint32_t m_gpuLane;                       //!< the lane that stands for all GPU lanes
    std::vector<uint32_t> m_positions;        //!< its position in each of its groups
    std::map<uint32_t, uint32_t> m_groups;    //!< its groups: firstSlot to local index
    std::map<uint32_t, SendingEnd*> m_byRank; //!< sending ends by destination
    std::deque<Iteration> m_iterations;       //!< from m_first on
    uint64_t m_first{0};                      //!< the oldest iteration that is not over
    double m_factor{1};                       //!< of compute times, in the present iteration
    std::vector<Lane> m_lanes;
    std::deque<uint32_t> m_ready;   //!< nodes that may begin
    std::vector<uint32_t> m_held;   //!< nodes that wait until the gate admits the iteration
    bool m_isAdmitted{false};       //!< whether the present iteration may communicate
    bool m_hasAsked{false};         //!< whether it has said that it has something to send
    bool m_isBeginning{false};      //!< within the call that begins an iteration
    EventId m_end;                  //!< end of an iteration that took no time
    bool m_isWorking{false};        //!< whether Work is under way
    std::vector<Awaited> m_awaited; //!< by token
    std::vector<uint32_t> m_tokens; //!< tokens that are free
};

} // namespace ns3::ddl

#endif // DDL_GRAPH_RANK_H
