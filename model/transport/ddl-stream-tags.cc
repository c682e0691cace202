// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-stream-tags.h"

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(StreamRequestTag);
NS_OBJECT_ENSURE_REGISTERED(MessageEndTag);

TypeId
StreamRequestTag::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::StreamRequestTag")
                            .SetParent<Tag>()
                            .SetGroupName("Ddl")
                            .AddConstructor<StreamRequestTag>();
    return tid;
}

TypeId
StreamRequestTag::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
StreamRequestTag::GetSerializedSize() const
{
    return 6 * sizeof(uint32_t);
}

void
StreamRequestTag::Serialize(TagBuffer buffer) const
{
    for (const uint32_t word : {m_request.id.value,
                                m_request.name.job.value,
                                m_request.name.run,
                                m_request.name.source,
                                m_request.name.destination,
                                m_request.source.value})
    {
        buffer.WriteU32(word);
    }
}

void
StreamRequestTag::Deserialize(TagBuffer buffer)
{
    for (uint32_t* word : {&m_request.id.value,
                           &m_request.name.job.value,
                           &m_request.name.run,
                           &m_request.name.source,
                           &m_request.name.destination,
                           &m_request.source.value})
    {
        *word = buffer.ReadU32();
    }
}

void
StreamRequestTag::Print(std::ostream& os) const
{
    os << "stream " << m_request.id << " " << m_request.name;
}

TypeId
MessageEndTag::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::MessageEndTag")
                            .SetParent<Tag>()
                            .SetGroupName("Ddl")
                            .AddConstructor<MessageEndTag>();
    return tid;
}

TypeId
MessageEndTag::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
MessageEndTag::GetSerializedSize() const
{
    return sizeof(uint64_t) + 2 * sizeof(uint32_t);
}

void
MessageEndTag::Serialize(TagBuffer buffer) const
{
    buffer.WriteU64(m_said.iteration);
    buffer.WriteU32(m_said.rank);
    buffer.WriteU32(m_said.slot);
}

void
MessageEndTag::Deserialize(TagBuffer buffer)
{
    m_said.iteration = buffer.ReadU64();
    m_said.rank = buffer.ReadU32();
    m_said.slot = buffer.ReadU32();
}

void
MessageEndTag::Print(std::ostream& os) const
{
    os << "message of iteration " << m_said.iteration << " for rank " << m_said.rank << ", slot "
       << m_said.slot;
}

} // namespace ns3::ddl
