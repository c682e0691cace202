// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-control-message.h"

namespace ns3::ddl
{

namespace
{

constexpr uint64_t HEADER_BYTES = 16;
constexpr uint64_t FIELD_BYTES = 4;

/** \return how many fields of 4 bytes follow the header */
struct CountFields
{
    uint64_t operator()(const StartStage&) const
    {
        return 3;
    }

    uint64_t operator()(const StopJob&) const
    {
        return 1;
    }

    uint64_t operator()(const StageDone&) const
    {
        return 2;
    }

    uint64_t operator()(const JobStopped&) const
    {
        return 1;
    }

    uint64_t operator()(const ProgressRequest&) const
    {
        return 1;
    }

    uint64_t operator()(const ProgressReport& report) const
    {
        return 2 + 3 * report.jobs.size();
    }

    uint64_t operator()(const CoflowStarted&) const
    {
        return 2;
    }

    uint64_t operator()(const CoflowEnded&) const
    {
        return 2;
    }

    uint64_t operator()(const GateRequest&) const
    {
        return 4; // the count of bytes takes two
    }

    uint64_t operator()(const GateGrant&) const
    {
        return 2;
    }

    uint64_t operator()(const BytesRequest&) const
    {
        return 1;
    }

    uint64_t operator()(const BytesReport& report) const
    {
        return 2 + 5 * report.jobs.size(); // counts of bytes take two fields
    }

    uint64_t operator()(const Priorities& message) const
    {
        return 1 + 4 * message.priorities.size();
    }
};

} // namespace

uint64_t
GetWireBytes(const ControlMessage& message)
{
    return HEADER_BYTES + FIELD_BYTES * std::visit(CountFields(), message);
}

} // namespace ns3::ddl
