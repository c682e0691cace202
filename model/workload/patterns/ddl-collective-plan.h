// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_COLLECTIVE_PLAN_H
#define DDL_COLLECTIVE_PLAN_H

#include "ddl-communication-pattern.h"

#include "ns3/ddl-task-graph.h"
#include "ns3/object-factory.h"

namespace ns3::ddl
{

/**
 * \param collective what the ranks do
 * \param view the ranks, which are all workers, and where they are; `bytes` as GraphNode::amount
 *        counts them
 * \param allReduce factory of the CommunicationPattern of all-reduces
 * \return the transfers. All-gather and reduce-scatter go round a ring, N - 1 steps; an all-to-all
 *         sends directly; a broadcast goes down a chain in 8 chunks; a barrier is an all-reduce of
 * a byte a rank \throws InputError when the pattern cannot serve the ranks
 */
TransferPlan PlanCollective(Collective collective,
                            const PatternView& view,
                            const ObjectFactory& allReduce);

} // namespace ns3::ddl

#endif // DDL_COLLECTIVE_PLAN_H
