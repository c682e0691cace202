// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PATH_SELECTOR_H
#define DDL_PATH_SELECTOR_H

#include "ddl-flow-key.h"
#include "ddl-frame.h"

#include "ns3/ddl-policy.h"
#include "ns3/nstime.h"

#include <cstdint>

namespace ns3::ddl
{

class SwitchPort;

/** What distinguishes one switch from others for its path selector. */
struct PathSwitch
{
    uint64_t salt{0};    //!< well-mixed number of this switch, which follows from EcmpSeed
    uint32_t divisor{1}; //!< product of the numbers of choices at the levels below, where these
                         //!< decide which packets come to this switch; else 1
};

/** A frame, and the equal-cost ports by which it can leave a switch. */
struct PathQuery
{
    SwitchPort* const* ports; //!< the ports, in an order that only changes with the routes
    uint32_t count;           //!< number of ports, at least 2
    const Frame& frame;       //!< the frame, as it arrived
    Time now;

    /**
     * \param port index of a port, 0 to count - 1
     * \return bytes that wait there and go out before the frame under strict priority: in its queue
     *         and in earlier ones, with framing. What is on the wire does not count: else ports
     *         are hardly ever equal, and packets of hosts in step keep to one port each
     */
    uint64_t GetBacklog(uint32_t port) const;
};

/** How a selector spreads the packets of one flow over equal-cost ports. */
enum class PathSpread
{
    FLOW, //!< all take one port, which follows from destination and flow hash alone
    EVEN, //!< each port gets an equal part of every flow
    STATE //!< the ports depend on the state of the switch
};

/**
 * Policy family: by which of several equal-cost ports does a packet leave a switch? Each switch has
 * an object of its own, with its own state and random numbers; the state is forgotten when routes
 * change.
 *
 * A selector with PathSpread::FLOW implements DoPick, which switches may call at any time and for
 * any flow. All others implement DoChoose, which is called once per packet.
 */
class PathSelector : public Policy
{
  public:
    static TypeId GetTypeId();

    /** Called once, before the first packet. \param at the switch that asks */
    void Start(const PathSwitch& at);

    /** Called when routes change: forget what refers to ports by their index. */
    void Reset()
    {
        DoReset();
    }

    virtual PathSpread GetSpread() const = 0;

    /** \return whether packets of a flow that follow each other closely may overtake each other */
    virtual bool BreaksOrder() const
    {
        return GetSpread() != PathSpread::FLOW;
    }

    /** \return whether flows to one destination may take different ports */
    virtual bool SeparatesFlows() const
    {
        return true;
    }

    /**
     * \param destination index of the host to which the flow goes
     * \param flowHash the flow's FlowKey::PathHash
     * \param count number of equal-cost ports, at least 2
     * \return index of the flow's port. \throws RunError when the policy names none
     * \pre GetSpread() is FLOW
     */
    uint32_t Pick(uint32_t destination, uint32_t flowHash, uint32_t count) const
    {
        return Check(DoPick(destination, flowHash, count), count);
    }

    /** \return index of the port that a frame takes. \throws RunError when the policy names none
     * \pre GetSpread() is not FLOW */
    uint32_t Choose(const PathQuery& query)
    {
        return Check(DoChoose(query), query.count);
    }

    /** \return an even choice by hash, as ECMP makes it. \param salt that of the switch
     * \param count number of ports, above 0 */
    static uint32_t PickByHash(uint32_t flowHash, uint64_t salt, uint32_t count)
    {
        // Upper bits of a 32 x 32 bit product: an even choice without a division.
        const uint64_t mixed = MixBits(flowHash ^ salt) >> 32;
        return static_cast<uint32_t>((mixed * count) >> 32);
    }

  protected:
    const PathSwitch& GetSwitch() const
    {
        return m_switch;
    }

    /** \return a random number from 0 to \p count - 1, of this switch's own stream */
    uint32_t Draw(uint32_t count)
    {
        m_state += 0x9e3779b97f4a7c15ULL; // SplitMix64, see MixBits
        return static_cast<uint32_t>(((MixBits(m_state) >> 32) * count) >> 32);
    }

  private:
    virtual uint32_t DoPick(uint32_t destination, uint32_t flowHash, uint32_t count) const;
    virtual uint32_t DoChoose(const PathQuery& query);

    /** Called at the start and when routes change. */
    virtual void DoReset()
    {
    }

    uint32_t Check(uint32_t port, uint32_t count) const
    {
        if (port >= count)
        {
            Refuse(port, count);
        }
        return port;
    }

    [[noreturn]] void Refuse(uint32_t port, uint32_t count) const;

    PathSwitch m_switch;
    uint64_t m_state{0}; //!< state of the random numbers
};

} // namespace ns3::ddl

#endif // DDL_PATH_SELECTOR_H
