// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SWITCH_H
#define DDL_SWITCH_H

#include "ddl-frame-pool.h"
#include "ddl-packet-count.h"
#include "ddl-pause-meter.h"

#include "ns3/ddl-shared-buffer.h"
#include "ns3/node.h"
#include "ns3/traced-callback.h"

#include <memory>
#include <vector>

namespace ns3::ddl
{

class SwitchPort;

/**
 * A switch: it forwards by the destination's host index, in O(1), to one port of an equal-cost
 * group. The port is chosen by the packet's flow hash mixed with this switch's salt, so that a flow
 * keeps its path and switches choose independently of each other; or, with D-mod-k routing, by the
 * destination alone. It decrements the time to live.
 *
 * Its devices are SwitchPorts; it has no Internet stack.
 */
class Switch : public Node
{
  public:
    static TypeId GetTypeId();
    Switch();
    ~Switch() override;

    /** Trace signature: a dropped packet, with its header as it is at this switch. */
    using DropTracedCallback = void (*)(Ptr<const Packet> packet);

    /** \param salt number mixed into flow hashes for the choice among equal-cost ports */
    void SetSalt(uint64_t salt);
    /**
     * Let packets to host d take port floor(d / divisor) modulo k of a group of k, as InfiniBand
     * routes fat-trees (Zahavi, D-Mod-K routing, 2010), instead of one chosen by hash.
     *
     * \param divisor product of the numbers of choices at the levels below, where these decide
     *        which packets come to this switch; otherwise 1
     */
    void SetDModK(uint32_t divisor);
    /** \param buffer packet memory of all ports that are added later, or null */
    void SetSharedBuffer(std::shared_ptr<SharedBuffer> buffer);

    /** \return packet memory of all ports, or null */
    std::shared_ptr<SharedBuffer> GetSharedBuffer() const
    {
        return m_buffer;
    }

    /** \return the counter of bytes that came in by each port, for priority flow control */
    PauseMeter& GetPauseMeter()
    {
        return m_meter;
    }

    /** Forget all routes. \param hosts number of host indices */
    void ClearRoutes(uint32_t hosts);
    /** \param ports the equal-cost ports of a group, at least one \return the group's number, for
     * SetRoute */
    uint32_t AddGroup(const std::vector<Ptr<SwitchPort>>& ports);
    /** Set the route to a host. \param host the host's index \param group a number from AddGroup */
    void SetRoute(uint32_t host, uint32_t group);

    /** \return the port that a flow to a host would take, null when there is no route */
    Ptr<SwitchPort> GetRoute(uint32_t host, uint32_t flowHash) const;

    /** \return the port that a flow to a host would take, or null; without counting a reference */
    SwitchPort* Choose(uint32_t host, uint32_t flowHash) const;

    /** \return all ports that flows to a host can take */
    std::vector<Ptr<SwitchPort>> ListRoutes(uint32_t host) const;

    /** Send a frame on its way, or drop it. O(1). \param frame taken over */
    void Forward(Frame* frame, FramePool& pool);

    /** \return packets dropped here that went to no port: NO_ROUTE and TTL */
    const DropCounts& GetDrops() const
    {
        return m_drops;
    }

  protected:
    void DoDispose() override;

  private:
    /** An equal-cost group: ports m_members[first] to m_members[first + count - 1]. Count 0: no
     * route. */
    struct Group
    {
        uint32_t first{0};
        uint32_t count{0};
    };

    void Drop(Frame* frame, FramePool& pool, DropReason reason);
    void Pause(uint32_t ingress, uint32_t queue, bool paused);

    /** The routes to 64 successive hosts: their group if they share one, else see m_groupOf. */
    struct Block
    {
        static constexpr uint32_t HOSTS = 64;

        uint32_t group{0};   //!< the hosts' group, or of a mixed block the first index in m_groupOf
        bool isMixed{false}; //!< whether the hosts have different groups
    };

    uint32_t FindGroup(uint32_t host) const
    {
        const Block block = m_blocks[host / Block::HOSTS];
        return block.isMixed ? m_groupOf[block.group + host % Block::HOSTS] : block.group;
    }

    uint32_t m_hosts{0};             //!< number of host indices
    std::vector<uint32_t> m_groupOf; //!< group of each host of the mixed blocks, Block::HOSTS each
    std::vector<Block> m_blocks;     //!< routes by host index / HOSTS: small enough for a cache
    std::vector<Group> m_groups;     //!< all groups; the first is empty: no route
    std::vector<SwitchPort*> m_members;
    std::shared_ptr<SharedBuffer> m_buffer;
    PauseMeter m_meter;
    uint64_t m_salt{0};
    uint32_t m_divisor{0}; //!< divisor of D-mod-K routing; 0: routing by hash
    DropCounts m_drops;
    TracedCallback<Ptr<const Packet>> m_dropTrace;
};

} // namespace ns3::ddl

#endif // DDL_SWITCH_H
