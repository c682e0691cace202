// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SWITCH_H
#define DDL_SWITCH_H

#include "ddl-frame-pool.h"
#include "ddl-packet-count.h"
#include "ddl-path-selector.h"
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
 * group, which its PathSelector chooses. It decrements the time to live.
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

    /**
     * Set how this switch chooses among equal-cost ports, before the first packet. Without this it
     * does as EcmpPathSelector, with salt 0.
     *
     * \param selector an object for this switch alone, which is started here
     * \param at salt and divisor of this switch
     */
    void SetPathSelector(Ptr<PathSelector> selector, const PathSwitch& at);
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

    /** \return the port that a flow to a host would take, null when there is no route. If flows do
     * not keep to one port (PathSpread), that which ECMP would give it */
    Ptr<SwitchPort> GetRoute(uint32_t host, uint32_t flowHash) const;

    /** \return the port that all packets of a flow to a host take, or null when there is no route
     * or when they need not take one port; without counting a reference */
    SwitchPort* Choose(uint32_t host, uint32_t flowHash) const;

    /** \return all ports that packets to a host can take */
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

    SwitchPort* Ask(const Frame& frame);
    void Drop(Frame* frame, FramePool& pool, DropReason reason);
    void Pause(uint32_t ingress, uint32_t queue, bool paused);

    /** The routes to 64 successive hosts: their group if they share one, else see m_groupOf. */
    struct Block
    {
        static constexpr uint32_t HOSTS = 64;

        uint32_t group{0};   //!< the hosts' group, or of a mixed block the first index in m_groupOf
        bool isMixed{false}; //!< whether the hosts have different groups
    };

    /** \return the group of a host, the empty one where there is no such host */
    Group FindGroup(uint32_t host) const
    {
        if (host >= m_hosts)
        {
            return {};
        }
        const Block block = m_blocks[host / Block::HOSTS];
        return m_groups[block.isMixed ? m_groupOf[block.group + host % Block::HOSTS] : block.group];
    }

    uint32_t m_hosts{0};             //!< number of host indices
    std::vector<uint32_t> m_groupOf; //!< group of each host of the mixed blocks, Block::HOSTS each
    std::vector<Block> m_blocks;     //!< routes by host index / HOSTS: small enough for a cache
    std::vector<Group> m_groups;     //!< all groups; the first is empty: no route
    std::vector<SwitchPort*> m_members;
    std::shared_ptr<SharedBuffer> m_buffer;
    PauseMeter m_meter;
    uint64_t m_salt{0};
    const PathSelector* m_other{nullptr}; //!< m_selector, null when it is ECMP
    Ptr<PathSelector> m_selector;
    PathSpread m_spread{PathSpread::FLOW}; //!< that of m_selector
    DropCounts m_drops;
    TracedCallback<Ptr<const Packet>> m_dropTrace;
};

} // namespace ns3::ddl

#endif // DDL_SWITCH_H
