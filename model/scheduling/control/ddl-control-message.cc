// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-control-message.h"

#include <type_traits>

namespace ns3::ddl
{

namespace
{

constexpr uint64_t HEADER_BYTES = 16;
constexpr uint64_t FIELD_BYTES = 4;
constexpr uint64_t JOB_FIELDS = 20; //!< fields of a job's description, without its ranks and layers

/** \return fields of 4 bytes that a number of iterations takes */
uint64_t
Fields(uint64_t iterations)
{
    return iterations >> 32 == 0 ? 1 : 2;
}

/** \return fields of the launch of a run: a machine needs to know of its own ranks, and of those
 * that they send to or hear from */
uint64_t
CountLaunchFields(const LaunchRun& message)
{
    const RunSpec::Part& part = message.run->parts.at(message.machine);
    const uint64_t ranks = part.ranks.size() + part.sends.size() + part.receives.size();
    const uint64_t layers = message.run->job.model.layers.Get().size();
    const uint64_t state = message.run->storage ? 3 : 0;
    return JOB_FIELDS + message.noise.size() + 2 * ranks + 6 * layers + state;
}

/** \return fields of a report of progress */
uint64_t
CountReportFields(const ProgressReport& report)
{
    uint64_t fields = 2;
    for (const JobProgress& job : report.jobs)
    {
        fields += 2 + Fields(job.iterationsDone);
    }
    return fields;
}

/** \return how many fields of 4 bytes follow the header; a count of bytes takes two of them */
uint64_t
CountFields(const ControlMessage& message)
{
    const Overloaded count{
        [](const LaunchRun& m) { return CountLaunchFields(m); },
        [](const JobStopped& m) { return 2 + Fields(m.iterations) + m.noise.size(); },
        // Each fate of a job is a kind of message, so one field is enough.
        [](const StopJob&) -> uint64_t { return 1; },
        [](const WorkersReport& m) { return 3 + Fields(m.iteration); },
        [](const StartStage& m) { return 2 + Fields(m.iterations); },
        [](const JobPaused& m) { return 2 + Fields(m.begun); },
        [](const StopBefore& m) { return 1 + Fields(m.iteration); },
        [](const CheckpointSaved& m) { return 2 + Fields(m.iterations); },
        [](const JobDrained& m) { return 2 + Fields(m.iterations); },
        [](const CoflowStarted& m) { return 1 + Fields(m.iteration); },
        [](const CoflowEnded& m) { return 1 + Fields(m.iteration) + m.gpu.has_value(); },
        [](const GateRequest& m) { return 3 + Fields(m.iteration) + m.gpu.has_value(); },
        [](const GateGrant& m) { return 1 + Fields(m.iteration) + m.gpu.has_value(); },
        [](const ProgressReport& m) { return CountReportFields(m); },
        [](const BytesReport& m) -> uint64_t { return 2 + 6 * m.jobs.size(); },
        [](const Priorities& m) -> uint64_t { return 1 + 4 * m.priorities.size(); },
        [](const PinPaths& m) -> uint64_t { return 1 + 4 * m.pins.size(); },
        [](const RejoinRequest& m) -> uint64_t { return 1 + m.server.size(); },
        [](const RejoinGrant&) -> uint64_t { return 0; },
        [](const RunTask& m) { return 2 + Fields(m.round); },
        [](const PullRequest& m) { return 4 + Fields(m.round); },
        [](const TaskEnded& m) { return 2 + Fields(m.round); },
        // With the loss, a double.
        [](const RoundEnded& m) { return 4 + Fields(m.rounds); },
        // The others are their fields of 4 bytes each.
        [](const auto& other) -> uint64_t {
            using Other = std::decay_t<decltype(other)>;
            static_assert(std::has_unique_object_representations_v<Other>, "padding");
            return sizeof(Other) / FIELD_BYTES;
        }};
    return std::visit(count, message);
}

} // namespace

uint64_t
GetWireBytes(const ControlMessage& message)
{
    return HEADER_BYTES + FIELD_BYTES * CountFields(message);
}

} // namespace ns3::ddl
