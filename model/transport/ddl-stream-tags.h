// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_STREAM_TAGS_H
#define DDL_STREAM_TAGS_H

#include "ddl-stream.h"

#include "ns3/tag.h"

namespace ns3::ddl
{

/**
 * The request for a connection, in a packet. It stands for the messages of a connection manager, or
 * for the first bytes of a connection, and adds no bytes.
 */
class StreamRequestTag : public Tag
{
  public:
    static TypeId GetTypeId();

    StreamRequestTag() = default;

    explicit StreamRequestTag(const StreamRequest& request)
        : m_request(request)
    {
    }

    const StreamRequest& Get() const
    {
        return m_request;
    }

    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(TagBuffer buffer) const override;
    void Deserialize(TagBuffer buffer) override;
    void Print(std::ostream& os) const override;

  private:
    StreamRequest m_request;
};

/** The MessageTag of a message, in the packet with the message's last byte. */
class MessageEndTag : public Tag
{
  public:
    static TypeId GetTypeId();

    MessageEndTag() = default;

    explicit MessageEndTag(const MessageTag& said)
        : m_said(said)
    {
    }

    const MessageTag& Get() const
    {
        return m_said;
    }

    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(TagBuffer buffer) const override;
    void Deserialize(TagBuffer buffer) override;
    void Print(std::ostream& os) const override;

  private:
    MessageTag m_said;
};

} // namespace ns3::ddl

#endif // DDL_STREAM_TAGS_H
