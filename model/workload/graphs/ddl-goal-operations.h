// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_GOAL_OPERATIONS_H
#define DDL_GOAL_OPERATIONS_H

#include "ddl-graph-format.h"
#include "ddl-task-graph.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::ddl
{

/**
 * What the two forms of GOAL share (Hoefler, Siebert and Lumsdaine, ICPP 2009; LogGOPSim's
 * txt2bin.re and Parser.hpp): operations send, recv and calc, after the end or the start of others.
 */
class GoalOperations : public GraphFormat
{
  public:
    static TypeId GetTypeId();

  protected:
    /** What computes. */
    enum Compute
    {
        ON_GPU, //!< a kernel on the rank's GPU
        ON_CPU  //!< time that takes no GPU
    };

    /** An operation. */
    struct Operation
    {
        GraphNode::Kind kind{GraphNode::Kind::COMPUTE};
        uint64_t amount{0}; //!< ns or bytes
        uint32_t peer{0};   //!< a rank
        uint32_t tag{0};
        uint8_t cpu{0};
        uint8_t nic{0};
        std::string name{};
        std::vector<uint32_t> ended{}; //!< operations of the rank that must have ended
        std::vector<uint32_t> started{};
    };

    /**
     * \param rank number of the rank
     * \param operations its operations
     * \param ranks number of all ranks
     * \param pool where equal programs are kept once
     * \param file, complaints get peers that do not exist, and NICs that nobody says to ignore
     * \return the rank, with a lane for each cpu and one for messages
     */
    RankGraph MakeRank(uint32_t rank,
                       const std::vector<Operation>& operations,
                       uint32_t ranks,
                       GraphProgramPool& pool,
                       const std::string& file,
                       GraphComplaints& complaints) const;

  private:
    bool m_ignoresNics{false};
    Compute m_compute{ON_GPU};
};

} // namespace ns3::ddl

#endif // DDL_GOAL_OPERATIONS_H
