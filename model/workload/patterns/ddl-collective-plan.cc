// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-collective-plan.h"

#include "ddl-plan-builder.h"

namespace ns3::ddl
{

namespace
{

constexpr uint32_t CHUNKS = 8; //!< parts of a broadcast, which follow each other down the chain

/** \return the i-th of so many parts of the bytes */
ByteRange
GetPart(uint64_t bytes, uint32_t parts, uint32_t i)
{
    return {SplitOffset(bytes, parts, i), SplitBytes(bytes, parts, i)};
}

/** Every part goes round a ring, from the rank behind the one that has it in the end (or has it in
 * the beginning) on. \param copy false: parts are added up on their way */
TransferPlan
PlanRing(uint32_t ranks, uint64_t bytes, bool copy)
{
    PlanBuilder builder(ranks);
    for (uint32_t step = 0; step + 1 < ranks; ++step)
    {
        for (uint32_t rank = 0; rank < ranks; ++rank)
        {
            const uint32_t part = (rank + 2 * ranks - step - (copy ? 0 : 1)) % ranks;
            builder.SendPart(rank, (rank + 1) % ranks, GetPart(bytes, ranks, part), copy);
        }
        builder.EndStep();
    }
    return builder.Take();
}

/** Each rank sends a part of its bytes to each other one, to its neighbour first. */
TransferPlan
PlanAllToAll(uint32_t ranks, uint64_t bytes)
{
    TransferPlan plan;
    for (uint32_t distance = 1; distance < ranks; ++distance)
    {
        for (uint32_t rank = 0; rank < ranks; ++rank)
        {
            const uint32_t destination = (rank + distance) % ranks;
            const ByteRange part = GetPart(bytes, ranks, destination);
            if (part.bytes > 0)
            {
                plan.push_back({rank, destination, part.bytes, {}, part.offset, true});
            }
        }
    }
    return plan;
}

TransferPlan
PlanBroadcast(uint32_t ranks, uint64_t bytes)
{
    PlanBuilder builder(ranks);
    for (uint32_t step = 0; step + 2 < ranks + CHUNKS; ++step)
    {
        for (uint32_t rank = 0; rank + 1 < ranks && rank <= step; ++rank)
        {
            if (step - rank < CHUNKS)
            {
                builder.SendPart(rank, rank + 1, GetPart(bytes, CHUNKS, step - rank), true);
            }
        }
        builder.EndStep();
    }
    return builder.Take();
}

} // namespace

TransferPlan
PlanCollective(Collective collective, const PatternView& view, const ObjectFactory& allReduce)
{
    PatternView all = view;
    switch (collective)
    {
    case Collective::ALL_GATHER:
        return PlanRing(view.workers, view.bytes, true);
    case Collective::REDUCE_SCATTER:
        return PlanRing(view.workers, view.bytes, false);
    case Collective::ALL_TO_ALL:
        return PlanAllToAll(view.workers, view.bytes);
    case Collective::BROADCAST:
        return PlanBroadcast(view.workers, view.bytes);
    case Collective::BARRIER:
        all.bytes = view.workers;
        break;
    case Collective::ALL_REDUCE:
        break;
    }
    return all.workers > 1 ? allReduce.Create<CommunicationPattern>()->Plan(all) : TransferPlan();
}

} // namespace ns3::ddl
