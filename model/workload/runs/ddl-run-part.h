// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RUN_PART_H
#define DDL_RUN_PART_H

#include "ddl-run-spec.h"
#include "ddl-task-times.h"

#include "ns3/ddl-receiving-stream.h"
#include "ns3/ddl-sending-stream.h"

#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace ns3::ddl
{

/**
 * Interface of the part of a job's run that is on one machine, for the software there. There are
 * two kinds: LocalRun for ranks that run together, and TaskRun for tasks that run one by one.
 */
class RunPart
{
  public:
    /** \param run that has something to do on this machine */
    explicit RunPart(std::shared_ptr<const RunSpec> run)
        : m_run(std::move(run)),
          m_granted(m_run->first)
    {
    }

    virtual ~RunPart() = default;
    RunPart(const RunPart&) = delete;
    RunPart& operator=(const RunPart&) = delete;

    const RunSpec& GetRun() const
    {
        return *m_run;
    }

    JobId GetId() const
    {
        return m_run->GetId();
    }

    /** \param iterations of this stage that are left, at least 1; the stage before is over */
    virtual void StartStage(uint32_t stage, uint64_t iterations) = 0;

    /** \return whether it is still loading, before a stage may start; it reports when it is done */
    virtual bool IsLoading() const = 0;

    /** End it at once; its GPUs are free afterwards. No effect the second time. */
    virtual void Stop() = 0;
    /** The same, because the machine fails. */
    virtual void Fail() = 0;

    /** \return iterations that are finished here, over all stages; the greatest number if nothing
     *         here counts them */
    virtual uint64_t GetFinished() const = 0;

    /** \return iterations that may run so far, over all stages */
    uint64_t GetGranted() const
    {
        return m_granted;
    }

    /** \return streams that begin here and end elsewhere */
    const std::vector<Ptr<SendingStream>>& GetSending() const
    {
        return m_outbound;
    }

    /** \return streams that end here and begin elsewhere */
    const std::vector<Ptr<ReceivingStream>>& GetReceiving() const
    {
        return m_inbound;
    }

    /** \return state of the random draws of workers here that may go on elsewhere, by rank */
    const std::map<uint32_t, TaskTimes>& GetNoise() const
    {
        return m_noise;
    }

  protected:
    std::shared_ptr<const RunSpec> m_run;
    uint64_t m_granted;                          //!< iterations before that one
    std::vector<Ptr<SendingStream>> m_outbound;  //!< that begin here and end elsewhere
    std::vector<Ptr<ReceivingStream>> m_inbound; //!< that end here and begin elsewhere
    std::map<uint32_t, TaskTimes> m_noise; //!< of workers here that may go on elsewhere, by rank
};

} // namespace ns3::ddl

#endif // DDL_RUN_PART_H
