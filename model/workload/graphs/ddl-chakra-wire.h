// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_CHAKRA_WIRE_H
#define DDL_CHAKRA_WIRE_H

#include "ddl-graph-format.h"

#include <cstdint>
#include <istream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::ddl
{

/** How a field lies on protobuf's wire. */
enum class WireType : uint8_t
{
    VARINT = 0,
    FIXED64 = 1,
    BYTES = 2, //!< texts, messages and packed lists
    FIXED32 = 5
};

/** One field of a message. */
struct ProtoField
{
    uint32_t number{0};
    WireType wire{WireType::VARINT};
    uint64_t value{0};        //!< its value, unless it is BYTES
    std::string_view bytes{}; //!< its value within the message, if it is BYTES
};

/** The fields of a message, one after the other. */
class ProtoFields
{
  public:
    explicit ProtoFields(std::string_view message)
        : m_rest(message)
    {
    }

    /**
     * \param field gets the next field
     * \return false at the end
     * \throws GraphRefusal without a place, when the bytes are no message
     */
    bool Next(ProtoField& field);

    /** \return the next number of a packed list, which has one */
    uint64_t TakeVarint();

    bool IsEmpty() const
    {
        return m_rest.empty();
    }

  private:
    uint64_t TakeFixed(std::size_t bytes);

    std::string_view m_rest;
};

/** An attribute of a Chakra node. */
struct ChakraAttribute
{
    std::string name;
    std::optional<int64_t> whole{}; //!< its value, if that is of a type of integers, or bool
    std::optional<std::string> text{};
};

/**
 * \return the attribute that some bytes are
 * \throws GraphRefusal without a place, when the bytes are no attribute
 */
ChakraAttribute ReadChakraAttribute(std::string_view message);

/** A node of a Chakra execution trace. */
struct ChakraNode
{
    uint64_t id{0}; //!< absent on the wire if 0
    std::string name;
    uint64_t type{0};
    std::vector<uint64_t> controlDependencies; //!< ids, each once, in ascending order
    std::vector<uint64_t> dataDependencies;    //!< as `controlDependencies`
    uint64_t microseconds{0};                  //!< duration
    std::string inputs;                        //!< values of inputs, of metadata nodes only
    std::vector<ChakraAttribute> attributes;

    const ChakraAttribute* Find(const std::string& name) const;
};

/**
 * \return the node that some bytes are
 * \throws GraphRefusal without a place, when the bytes are no node
 */
ChakraNode ReadChakraNode(std::string_view message);

/** A file of messages, each behind its length, as it is or packed by gzip. */
class ChakraMessages
{
  public:
    /** \throws GraphRefusal if it is empty */
    explicit ChakraMessages(std::unique_ptr<std::istream> file);
    ~ChakraMessages();

    /**
     * \param message gets the next message
     * \return false at the end
     * \throws GraphRefusal without a place, when the file ends within a message or is damaged
     */
    bool Next(std::string& message);

  private:
    std::unique_ptr<std::istream> m_file;
    std::unique_ptr<std::istream> m_unpacked; //!< null: the file is as it is
    std::istream* m_input;
};

} // namespace ns3::ddl

#endif // DDL_CHAKRA_WIRE_H
