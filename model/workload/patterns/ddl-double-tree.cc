// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-double-tree.h"

namespace ns3::ddl
{

namespace
{

/** One tree for one half of the bytes. */
class Tree
{
  public:
    /** \param ranks rank of each place */
    Tree(TransferPlan& plan, std::vector<uint32_t> ranks, ByteRange half, uint32_t chunks)
        : m_plan(plan),
          m_ranks(std::move(ranks)),
          m_half(half),
          m_chunks(chunks),
          m_arrived(m_ranks.size() * chunks)
    {
    }

    /** Bring all chunks from outside to the root. */
    void Feed(uint32_t source)
    {
        for (uint32_t chunk = 0; chunk < m_chunks; ++chunk)
        {
            Add(source, 0, chunk, {}, true);
        }
    }

    /** Add all chunks up, level by level from the leaves. */
    void Reduce()
    {
        for (uint64_t bit = 1; bit < m_ranks.size(); bit *= 2)
        {
            PassLevel(bit, true);
        }
    }

    /** Copy all chunks down, level by level from the root. */
    void Broadcast()
    {
        uint64_t bit = 1;
        while (bit < m_ranks.size())
        {
            bit *= 2;
        }
        for (bit /= 2; bit > 0; bit /= 2)
        {
            PassLevel(bit, false);
        }
    }

  private:
    /** Send all chunks between the places whose lowest set bit is \p bit and their parents. */
    void PassLevel(uint64_t bit, bool up)
    {
        for (uint64_t i = bit; i < m_ranks.size(); i += 2 * bit)
        {
            const uint32_t parent = GetTreeParent(i, m_ranks.size());
            const uint32_t from = up ? i : parent;
            const uint32_t to = up ? parent : i;
            for (uint32_t chunk = 0; chunk < m_chunks; ++chunk)
            {
                Add(m_ranks[from], to, chunk, m_arrived[from * m_chunks + chunk], !up);
            }
        }
    }

    /** Add a transfer to a place. \param after what has arrived at its source */
    void Add(uint32_t source,
             uint32_t to,
             uint32_t chunk,
             const std::vector<uint32_t>& after,
             bool copy)
    {
        const ByteRange part = GetPart(m_half, m_chunks, chunk);
        if (part.bytes == 0)
        {
            return;
        }
        std::vector<uint32_t>& arrived = m_arrived[to * m_chunks + chunk];
        const auto index = static_cast<uint32_t>(m_plan.size());
        m_plan.push_back({source, m_ranks[to], part.bytes, after, part.offset, copy});
        if (copy)
        {
            arrived.clear(); // what was there is overwritten
        }
        arrived.push_back(index);
    }

    TransferPlan& m_plan;
    std::vector<uint32_t> m_ranks;
    ByteRange m_half;
    uint32_t m_chunks;
    /** By place and chunk: the transfers to it of which its bytes are made. */
    std::vector<std::vector<uint32_t>> m_arrived;
};

/** \return the tree for a half of the bytes, 0 or 1 */
Tree
MakeTree(TransferPlan& plan,
         const std::vector<uint32_t>& ranks,
         const ByteRange& range,
         uint32_t chunks,
         uint32_t half)
{
    std::vector<uint32_t> places = ranks;
    const std::size_t n = ranks.size();
    for (std::size_t i = 0; i < n && half == 1; ++i)
    {
        places[i] = ranks[n % 2 == 0 ? n - 1 - i : (i + 1) % n];
    }
    return {plan, std::move(places), GetPart(range, 2, half), chunks};
}

} // namespace

uint32_t
GetTreeParent(uint32_t i, uint32_t count)
{
    const uint64_t bit = i & (~i + 1);
    const uint64_t above = (i ^ bit) | (2 * bit);
    return static_cast<uint32_t>(above < count ? above : i ^ bit);
}

void
AddDoubleTreeAllReduce(TransferPlan& plan,
                       const std::vector<uint32_t>& ranks,
                       const ByteRange& range,
                       uint32_t chunks)
{
    for (uint32_t half = 0; half < 2; ++half)
    {
        Tree tree = MakeTree(plan, ranks, range, chunks, half);
        tree.Reduce();
        tree.Broadcast();
    }
}

void
AddDoubleTreeBroadcast(TransferPlan& plan,
                       const std::vector<uint32_t>& ranks,
                       const ByteRange& range,
                       uint32_t chunks)
{
    const std::vector<uint32_t> others(ranks.begin() + 1, ranks.end());
    for (uint32_t half = 0; half < 2 && !others.empty(); ++half)
    {
        Tree tree = MakeTree(plan, others, range, chunks, half);
        tree.Feed(ranks.front());
        tree.Broadcast();
    }
}

} // namespace ns3::ddl
