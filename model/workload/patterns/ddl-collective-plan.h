// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_COLLECTIVE_PLAN_H
#define DDL_COLLECTIVE_PLAN_H

#include "ddl-collective-choice.h"
#include "ddl-communication-pattern.h"
#include "ddl-plan-builder.h"

#include "ns3/ddl-task-graph.h"
#include "ns3/object-factory.h"

#include <vector>

namespace ns3::ddl
{

/** The transfers by which a group carries out a collective. */
struct CollectivePlan
{
    /**
     * Offsets are positions in the buffer that all ranks have, one after the other; of an
     * all-to-all, positions in the buffers of all ranks, where rank r's begins at r times its size.
     */
    TransferPlan transfers;
    /**
     * Where each rank's part lies in the buffer, by rank: what it contributes to an all-gather, or
     * gets from a reduce-scatter. Parts are of SplitBytes; algorithms between tiers reorder them,
     * so that what goes together lies together.
     */
    std::vector<ByteRange> parts;
};

/**
 * \param collective what the ranks do
 * \param view the ranks, which are all workers, and where they are; `bytes` as GraphNode::amount
 *        counts them
 * \param choice how they do it (ChooseAlgorithm)
 * \param pattern the CommunicationPattern of CollectiveAlgorithm::PATTERN
 * \return the plan. A barrier is an all-reduce of a byte a rank. Where ranks have parts,
 *         fewer bytes than ranks (but not none) become a byte a rank, so that nobody ends unheard
 * \throws InputError when the pattern cannot serve the ranks
 */
CollectivePlan PlanCollective(Collective collective,
                              const PatternView& view,
                              const CollectiveChoice& choice,
                              const ObjectFactory& pattern);

} // namespace ns3::ddl

#endif // DDL_COLLECTIVE_PLAN_H
