// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RUN_PART_H
#define DDL_RUN_PART_H

#include "ddl-run-spec.h"
#include "ddl-task-times.h"

#include "ns3/ddl-receiving-stream.h"
#include "ns3/ddl-sending-stream.h"

#include <map>
#include <vector>

namespace ns3::ddl
{

/**
 * The part of a job's run that is on one machine, as the software there sees it, whatever kind of
 * job it is: LocalRun of ranks that run together, TaskRun of tasks that run one by one.
 */
class RunPart
{
  public:
    RunPart() = default;
    virtual ~RunPart() = default;
    RunPart(const RunPart&) = delete;
    RunPart& operator=(const RunPart&) = delete;

    virtual const RunSpec& GetRun() const = 0;

    JobId GetId() const
    {
        return GetRun().GetId();
    }

    /** \param iterations of this stage that are left, at least 1; the stage before is over */
    virtual void StartStage(uint32_t stage, uint64_t iterations) = 0;

    /** \return whether it has to load something before a stage may start, and will say when */
    virtual bool IsLoading() const = 0;

    /** It ends at once, in whatever it is doing, and GPUs are free. No effect the second time. */
    virtual void Stop() = 0;
    /** The same, as the machine fails. */
    virtual void Fail() = 0;

    /** \return iterations that are finished here, over all stages; the greatest number there is
     *         where nothing can say */
    virtual uint64_t GetFinished() const = 0;
    /** \return iterations that may run so far, over all stages */
    virtual uint64_t GetGranted() const = 0;
    /** \return streams that begin here and end elsewhere */
    virtual const std::vector<Ptr<SendingStream>>& GetSending() const = 0;
    /** \return streams that end here and begin elsewhere */
    virtual const std::vector<Ptr<ReceivingStream>>& GetReceiving() const = 0;
    /** \return what workers here that may go on elsewhere draw from, by rank */
    virtual const std::map<uint32_t, TaskTimes>& GetNoise() const = 0;
};

} // namespace ns3::ddl

#endif // DDL_RUN_PART_H
