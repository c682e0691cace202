// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_COLLECTIVE_CHOICE_H
#define DDL_COLLECTIVE_CHOICE_H

#include "ddl-communication-pattern.h"

#include "ns3/data-rate.h"
#include "ns3/ddl-task-graph.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3::ddl
{

class CollectiveLayout;

/** How the ranks of a group carry out a collective. */
enum class CollectiveAlgorithm : uint8_t
{
    RING,         //!< parts go round a ring, which visits the ranks server by server
    TREE,         //!< two binary trees, half of the bytes each (ddl-double-tree.h)
    HIERARCHICAL, //!< rings within servers, then between the ranks of one place in all servers
    TIERED,       //!< the same with racks between
    DIRECT,       //!< each rank sends to all others at once
    PAIRWISE,     //!< N - 1 steps: in step k, a rank sends to the k-th behind it
    CHAIN,        //!< chunks follow each other along the ranks
    PATTERN       //!< the CommunicationPattern of the job
};

/** \return name as users write it: "ring", "tree", ... */
const char* GetName(CollectiveAlgorithm algorithm);

/** \return the algorithms that can carry out a collective */
std::vector<CollectiveAlgorithm> ListAlgorithms(Collective collective);

/** An algorithm with its parameters. */
struct CollectiveChoice
{
    CollectiveAlgorithm algorithm{CollectiveAlgorithm::RING};
    uint32_t channels{1}; //!< RING, TREE, CHAIN: rings, each with its part of the bytes
    uint32_t chunks{1};   //!< TREE, CHAIN: parts of the bytes of a channel, or of half of them
    bool pxn{false};      //!< DIRECT: whether messages change the rail within the sender's server
};

/** What decides how collectives are carried out. */
struct CollectiveRules
{
    /**
     * Algorithm of each collective: a list such as "tree<64KB,ring", which is a tree below 64 KB
     * and a ring from there on; `auto` is what ChooseAlgorithm finds best.
     */
    std::map<Collective, std::string> algorithms;
    uint32_t channels{1}; //!< 0: one for each rail that all servers of the group have
    uint32_t chunks{0};   //!< 0: the best number
    bool pxn{false};
    Time networkStep{MicroSeconds(14)}; //!< time of a step between servers (NCCL, ring, Simple)
    Time serverStep{NanoSeconds(3400)}; //!< time of a step within a server (NCCL, NVLink)
    DataRate networkRate{400000000000}; //!< of a NIC
    DataRate serverRate{2400000000000}; //!< of a GPU to others of its server
    /** The job's CommunicationPattern. One that is no `ring` is what `auto` means for all-reduces.
     */
    ObjectFactory pattern;
};

/** \return what is wrong with the lists of algorithms, each to be read after "job 7 " */
std::vector<std::string> CheckRules(const CollectiveRules& rules);

/** What a collective costs: latencies on its longest path, and bytes through the busiest NIC and
 * GPU. */
struct CollectiveCost
{
    double networkSteps{0}; //!< messages one after the other, between servers
    double serverSteps{0};  //!< within servers
    double networkBytes{0}; //!< bytes that the busiest NIC sends
    double serverBytes{0};  //!< bytes that the busiest GPU sends within its server
    bool overlaps{true};    //!< whether the last two pass at one time, or one after the other
};

/**
 * The table of algorithms (doc/collectives.md): what each costs alone, with N ranks on S servers, G
 * on each, that have R rails, M bytes, C channels and c chunks.
 */
CollectiveCost CountCost(Collective collective,
                         const CollectiveChoice& choice,
                         const CollectiveLayout& layout,
                         double bytes);

/** \return steps x time of a step + bytes / rate, s */
double GetSeconds(const CollectiveCost& cost, const CollectiveRules& rules);

/**
 * Choose how a group carries out a collective: as the rules say, else by least cost; of equal ones
 * the first of ListAlgorithms.
 *
 * \param collective what the ranks do; a barrier is an all-reduce
 * \param view the ranks, which are all workers, and their places; `bytes` as GraphNode::amount
 *        counts them
 * \param rules without errors (CheckRules)
 * \return the choice; an algorithm between tiers becomes a ring where servers have unequal numbers
 *         of ranks
 */
CollectiveChoice ChooseAlgorithm(Collective collective,
                                 const PatternView& view,
                                 const CollectiveRules& rules);

} // namespace ns3::ddl

#endif // DDL_COLLECTIVE_CHOICE_H
