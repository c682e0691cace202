// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-chakra-wire.h"

#include <algorithm>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filtering_stream.hpp>

namespace ns3::ddl
{

namespace
{

constexpr uint64_t MOST_OF_A_MESSAGE = 1 << 26; //!< bytes; protobuf's own limit is 2^31
constexpr std::size_t PIECE = 1 << 16;          //!< bytes read at a time
constexpr std::size_t LEAST_NUMBERS = 1 << 12;  //!< a list this short may repeat numbers for now
constexpr uint32_t BITS_OF_A_BYTE = 7;          //!< bits of a number that a byte holds
constexpr uint32_t MOST_BITS = 63;

[[noreturn]] void
Refuse(const std::string& what)
{
    throw GraphRefusal{"", what};
}

/** \return whether a field is this one, on this wire; a known field on another wire is refused */
bool
Is(const ProtoField& field, uint32_t number, WireType wire)
{
    if (field.number == number && field.wire != wire)
    {
        Refuse("field " + std::to_string(number) + " is of wire type " +
               std::to_string(static_cast<int>(field.wire)) + ", not " +
               std::to_string(static_cast<int>(wire)));
    }
    return field.number == number;
}

int64_t
DecodeZigZag(uint64_t value)
{
    return static_cast<int64_t>((value >> 1) ^ (~(value & 1) + 1));
}

/** A list of numbers, each kept once: a small packed file may repeat one number a billion times. */
class NumberSet
{
  public:
    /** Add a list, packed or one of several fields. */
    void Add(const ProtoField& field)
    {
        if (field.wire == WireType::VARINT)
        {
            Add(field.value);
            return;
        }
        Is(field, field.number, WireType::BYTES);
        ProtoFields packed(field.bytes);
        while (!packed.IsEmpty())
        {
            Add(packed.TakeVarint());
        }
    }

    /** \return the numbers in ascending order; nothing is left */
    std::vector<uint64_t> Take()
    {
        Compact();
        return std::move(m_numbers);
    }

  private:
    void Add(uint64_t number)
    {
        if (m_numbers.size() >= m_next)
        {
            Compact();
            m_next = std::max(LEAST_NUMBERS, 2 * m_numbers.size());
        }
        m_numbers.push_back(number);
    }

    void Compact()
    {
        std::sort(m_numbers.begin(), m_numbers.end());
        m_numbers.erase(std::unique(m_numbers.begin(), m_numbers.end()), m_numbers.end());
    }

    std::vector<uint64_t> m_numbers;
    std::size_t m_next{LEAST_NUMBERS}; //!< size at which repeated numbers are taken out
};

/** \return the value of a number's field of AttributeProto; none if it is not one of them */
std::optional<int64_t>
ReadWhole(const ProtoField& field)
{
    switch (field.number)
    {
    case 7:  // int32
    case 9:  // int64
    case 11: // uint32
    case 13: // uint64
    case 27: // bool
        Is(field, field.number, WireType::VARINT);
        return static_cast<int64_t>(field.value);
    case 15: // sint32
    case 17: // sint64
        Is(field, field.number, WireType::VARINT);
        return DecodeZigZag(field.value);
    case 19: // fixed32
        Is(field, field.number, WireType::FIXED32);
        return static_cast<int64_t>(field.value);
    case 23: // sfixed32
        Is(field, field.number, WireType::FIXED32);
        return static_cast<int32_t>(field.value);
    case 21: // fixed64
    case 25: // sfixed64
        Is(field, field.number, WireType::FIXED64);
        return static_cast<int64_t>(field.value);
    default:
        return std::nullopt;
    }
}

} // namespace

uint64_t
ProtoFields::TakeVarint()
{
    uint64_t value = 0;
    for (uint32_t shift = 0; shift <= MOST_BITS; shift += BITS_OF_A_BYTE)
    {
        if (m_rest.empty())
        {
            Refuse("a number is cut off");
        }
        const auto byte = static_cast<uint8_t>(m_rest.front());
        m_rest.remove_prefix(1);
        value |= static_cast<uint64_t>(byte & 0x7F) << shift;
        if (byte < 0x80)
        {
            return value;
        }
    }
    Refuse("a number has more than 64 bits");
}

uint64_t
ProtoFields::TakeFixed(std::size_t bytes)
{
    if (m_rest.size() < bytes)
    {
        Refuse("a number is cut off");
    }
    uint64_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i)
    {
        value |= static_cast<uint64_t>(static_cast<uint8_t>(m_rest[i])) << (8 * i);
    }
    m_rest.remove_prefix(bytes);
    return value;
}

bool
ProtoFields::Next(ProtoField& field)
{
    if (m_rest.empty())
    {
        return false;
    }
    const uint64_t key = TakeVarint();
    field.number = static_cast<uint32_t>(std::min<uint64_t>(key >> 3, UINT32_MAX));
    field.wire = static_cast<WireType>(key & 7);
    field.bytes = {};
    if (field.number == 0)
    {
        Refuse("a field has the number 0");
    }
    switch (field.wire)
    {
    case WireType::VARINT:
        field.value = TakeVarint();
        return true;
    case WireType::FIXED64:
        field.value = TakeFixed(sizeof(uint64_t));
        return true;
    case WireType::FIXED32:
        field.value = TakeFixed(sizeof(uint32_t));
        return true;
    case WireType::BYTES: {
        const uint64_t length = TakeVarint();
        if (length > m_rest.size())
        {
            Refuse("field " + std::to_string(field.number) + " is longer than its message");
        }
        field.bytes = m_rest.substr(0, length);
        m_rest.remove_prefix(length);
        return true;
    }
    }
    Refuse("field " + std::to_string(field.number) + " is of wire type " + std::to_string(key & 7) +
           ", which protobuf 3 does not have");
}

ChakraAttribute
ReadChakraAttribute(std::string_view message)
{
    ChakraAttribute attribute;
    ProtoFields fields(message);
    ProtoField field;
    while (fields.Next(field))
    {
        if (Is(field, 1, WireType::BYTES))
        {
            attribute.name = field.bytes;
        }
        else if (Is(field, 29, WireType::BYTES))
        {
            attribute.text = field.bytes;
        }
        else if (const auto whole = ReadWhole(field))
        {
            attribute.whole = whole;
        }
    }
    return attribute;
}

const ChakraAttribute*
ChakraNode::Find(const std::string& wanted) const
{
    const auto found =
        std::find_if(attributes.begin(), attributes.end(), [&wanted](const auto& attribute) {
            return attribute.name == wanted;
        });
    return found == attributes.end() ? nullptr : &*found;
}

ChakraNode
ReadChakraNode(std::string_view message)
{
    ChakraNode node;
    NumberSet control;
    NumberSet data;
    std::string_view inputs;
    ProtoFields fields(message);
    ProtoField field;
    while (fields.Next(field))
    {
        if (Is(field, 1, WireType::VARINT))
        {
            node.id = field.value;
        }
        else if (Is(field, 2, WireType::BYTES))
        {
            node.name = field.bytes;
        }
        else if (Is(field, 3, WireType::VARINT))
        {
            node.type = field.value;
        }
        else if (field.number == 4 || field.number == 5)
        {
            (field.number == 4 ? control : data).Add(field);
        }
        else if (Is(field, 7, WireType::VARINT))
        {
            node.microseconds = field.value;
        }
        else if (Is(field, 8, WireType::BYTES))
        {
            inputs = field.bytes;
        }
        else if (Is(field, 10, WireType::BYTES))
        {
            node.attributes.push_back(ReadChakraAttribute(field.bytes));
        }
    }
    node.controlDependencies = control.Take();
    node.dataDependencies = data.Take();
    if (node.type == 1) // texts of tensors are long, and nobody reads them
    {
        ProtoFields values(inputs);
        while (values.Next(field))
        {
            if (Is(field, 1, WireType::BYTES))
            {
                node.inputs = field.bytes;
            }
        }
    }
    return node;
}

ChakraMessages::ChakraMessages(std::unique_ptr<std::istream> file)
    : m_file(std::move(file)),
      m_input(m_file.get())
{
    const int first = m_file->get();
    const int second = m_file->get();
    m_file->clear();
    m_file->seekg(0);
    if (first == EOF)
    {
        Refuse("is empty, or cannot be read");
    }
    if (first == 0x1f && second == 0x8b)
    {
        auto unpacked = std::make_unique<boost::iostreams::filtering_istream>();
        unpacked->push(boost::iostreams::gzip_decompressor());
        unpacked->push(*m_file);
        m_unpacked = std::move(unpacked);
        m_input = m_unpacked.get();
    }
}

ChakraMessages::~ChakraMessages() = default;

bool
ChakraMessages::Next(std::string& message)
{
    uint64_t length = 0;
    for (uint32_t shift = 0;; shift += BITS_OF_A_BYTE)
    {
        const int byte = m_input->get();
        if (byte == EOF && shift == 0 && !m_input->bad())
        {
            return false;
        }
        if (byte == EOF || shift > MOST_BITS)
        {
            Refuse(m_input->bad() ? "its gzip packing is damaged or cut off"
                                  : "the length of a message is cut off, or no length");
        }
        length |= static_cast<uint64_t>(byte & 0x7F) << shift;
        if (byte < 0x80)
        {
            break;
        }
    }
    if (length > MOST_OF_A_MESSAGE)
    {
        Refuse("a message has " + std::to_string(length) + " bytes (at most " +
               std::to_string(MOST_OF_A_MESSAGE) + ")");
    }
    message.clear();
    while (message.size() < length)
    {
        const std::size_t had = message.size();
        message.resize(had + std::min<uint64_t>(PIECE, length - had));
        m_input->read(&message[had], static_cast<std::streamsize>(message.size() - had));
        if (!*m_input)
        {
            Refuse(m_input->bad()
                       ? "its gzip packing is damaged or cut off"
                       : "is cut off within a message of " + std::to_string(length) + " bytes");
        }
    }
    return true;
}

} // namespace ns3::ddl
