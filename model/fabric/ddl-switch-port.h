// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SWITCH_PORT_H
#define DDL_SWITCH_PORT_H

#include "ddl-port.h"

#include "ns3/ddl-dscp-map.h"
#include "ns3/ddl-port-spec.h"

namespace ns3::ddl
{

class Switch;

/** A port of a Switch. Its queues are chosen by DSCP. Nothing but the switch can send on it. */
class SwitchPort : public Port
{
  public:
    static TypeId GetTypeId();

    /**
     * Set the port up, before the first packet and after SetNode.
     * \param spec queues, limits, thresholds, service; its sharedBuffer is ignored, see
     *        Switch::SetSharedBuffer
     * \throws InputError when they are out of range or do not fit each other
     */
    void Configure(const PortSpec& spec);

    /** Trace signature: a queue, and whether the far end has to pause it from now on. */
    using PauseTracedCallback = void (*)(uint32_t queue, bool paused);

    /** Send the far end a frame, ahead of all others, that starts or ends the pause of a queue. */
    void SendPause(uint32_t queue, bool paused);

    /** \return number of pauses that this port has asked for */
    uint64_t GetPauses() const
    {
        return m_pauses;
    }

    /** Put a frame into the queue of its codepoint. O(1). \param frame taken over */
    void Forward(Frame* frame);

    /** \return egress queue of a codepoint. \param dscp 0 to 63 */
    uint32_t GetQueue(uint8_t dscp) const;
    void SetNode(Ptr<Node> node) override;
    /** \return false: a switch only forwards */
    bool Send(Ptr<Packet> packet, const Address& dest, uint16_t protocol) override;

  private:
    Ptr<Wire> DoMakeIncoming(Time delay) override;
    void DoAttach() override;
    void DoSetPaused(const DscpMap* map) override;
    /** A pause frame has reached the far end. \param falls value of m_falls when it was sent */
    void DeliverPause(uint32_t queue, bool paused, uint32_t falls);

    void SetSharedMap(const DscpMap& map);

    std::shared_ptr<const DscpMap> m_map; //!< queue of each codepoint; shared with equal ports
    Switch* m_switch{nullptr};
    uint64_t m_pfcThreshold{0}; //!< bytes of one queue beyond which this ingress port pauses it
    uint64_t m_pfcHeadroom{0};  //!< bytes beyond the threshold; 0: computed from the link
    uint64_t m_pauses{0};
    uint32_t m_falls{0}; //!< number of times that the link fell; counted with flow control only
    TracedCallback<uint32_t, bool> m_pauseTrace;
};

} // namespace ns3::ddl

#endif // DDL_SWITCH_PORT_H
