// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-control-message.h"

#include <type_traits>

namespace ns3::ddl
{

namespace
{

constexpr uint64_t HEADER_BYTES = 16;
constexpr uint64_t FIELD_BYTES = 4;
constexpr uint64_t JOB_FIELDS = 20; //!< of a job's description, without its ranks and layers

/** \return fields of 4 bytes that a number of iterations takes */
uint64_t
Fields(uint64_t iterations)
{
    return iterations >> 32 == 0 ? 1 : 2;
}

/** \return how many fields of 4 bytes follow the header; a count of bytes takes two of them */
struct CountFields
{
    /** The machine needs to know of its own ranks, and of those that they send to or hear from. */
    uint64_t operator()(const LaunchRun& message) const
    {
        const RunSpec::Part& part = message.run->parts.at(message.machine);
        const uint64_t ranks = part.ranks.size() + part.sends.size() + part.receives.size();
        const uint64_t layers = message.run->job.model.layers.Get().size();
        const uint64_t state = message.run->storage ? 3 : 0;
        return JOB_FIELDS + message.noise.size() + 2 * ranks + 6 * layers + state;
    }

    uint64_t operator()(const JobStopped& message) const
    {
        return 2 + Fields(message.iterations) + message.noise.size();
    }

    /** Each fate of a job is a kind of message, so one field is enough. */
    uint64_t operator()(const StopJob&) const
    {
        return 1;
    }

    uint64_t operator()(const WorkersReport& message) const
    {
        return 3 + Fields(message.iteration);
    }

    uint64_t operator()(const StartStage& message) const
    {
        return 2 + Fields(message.iterations);
    }

    uint64_t operator()(const JobPaused& message) const
    {
        return 2 + Fields(message.begun);
    }

    uint64_t operator()(const StopBefore& message) const
    {
        return 1 + Fields(message.iteration);
    }

    uint64_t operator()(const CheckpointSaved& message) const
    {
        return 2 + Fields(message.iterations);
    }

    uint64_t operator()(const JobDrained& message) const
    {
        return 2 + Fields(message.iterations);
    }

    uint64_t operator()(const CoflowStarted& message) const
    {
        return 1 + Fields(message.iteration);
    }

    uint64_t operator()(const CoflowEnded& message) const
    {
        return 1 + Fields(message.iteration) + message.gpu.has_value();
    }

    uint64_t operator()(const GateRequest& message) const
    {
        return 3 + Fields(message.iteration) + message.gpu.has_value();
    }

    uint64_t operator()(const GateGrant& message) const
    {
        return 1 + Fields(message.iteration) + message.gpu.has_value();
    }

    uint64_t operator()(const ProgressReport& report) const
    {
        uint64_t fields = 2;
        for (const JobProgress& job : report.jobs)
        {
            fields += 2 + Fields(job.iterationsDone);
        }
        return fields;
    }

    uint64_t operator()(const BytesReport& report) const
    {
        return 2 + 6 * report.jobs.size();
    }

    uint64_t operator()(const Priorities& message) const
    {
        return 1 + 4 * message.priorities.size();
    }

    uint64_t operator()(const RejoinRequest& message) const
    {
        return 1 + message.server.size();
    }

    uint64_t operator()(const RunTask& message) const
    {
        return 2 + Fields(message.round);
    }

    uint64_t operator()(const PullRequest& message) const
    {
        return 4 + Fields(message.round);
    }

    uint64_t operator()(const TaskEnded& message) const
    {
        return 2 + Fields(message.round);
    }

    /** With the loss, a double. */
    uint64_t operator()(const RoundEnded& message) const
    {
        return 4 + Fields(message.rounds);
    }

    uint64_t operator()(const RejoinGrant&) const
    {
        return 0;
    }

    /** The others are their fields of 4 bytes each. */
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
