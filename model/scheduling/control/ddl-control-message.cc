// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-control-message.h"

#include <type_traits>

namespace ns3::ddl
{

namespace
{

constexpr uint64_t HEADER_BYTES = 16;
constexpr uint64_t FIELD_BYTES = 4;

/** \return how many fields of 4 bytes follow the header; a count of bytes takes two of them */
struct CountFields
{
    uint64_t operator()(const ProgressReport& report) const
    {
        return 2 + 3 * report.jobs.size();
    }

    uint64_t operator()(const BytesReport& report) const
    {
        return 2 + 5 * report.jobs.size();
    }

    uint64_t operator()(const Priorities& message) const
    {
        return 1 + 4 * message.priorities.size();
    }

    /** The others are their fields: 4 bytes each, or 8 for a count of bytes, and no padding. */
    template <typename Other>
    uint64_t operator()(const Other&) const
    {
        static_assert(std::has_unique_object_representations_v<Other>, "padding");
        return sizeof(Other) / FIELD_BYTES;
    }
};

} // namespace

uint64_t
GetWireBytes(const ControlMessage& message)
{
    return HEADER_BYTES + FIELD_BYTES * std::visit(CountFields(), message);
}

} // namespace ns3::ddl
