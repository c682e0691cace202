// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_AGENT_H
#define DDL_AGENT_H

#include "ddl-control-plane.h"

#include "ns3/abort.h"
#include "ns3/ddl-job.h"
#include "ns3/ddl-network-scheduler.h"
#include "ns3/ddl-priority.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <map>

namespace ns3::ddl
{

/** A change of mark: from this time on, one end of a stream sends with another band and DSCP. */
struct RemarkRecord
{
    Time time;
    HostId host; //!< machine that writes the mark
    StreamId stream;
    JobId job;
    uint32_t stage{1};            //!< for which the mark is meant
    Mark mark;                    //!< the new one
    bool acknowledgements{false}; //!< the host is the stream's destination and sends its ACKs
};

/**
 * Carries out on one machine what the coordinator orders (Grouper Fig. 6). It starts and stops the
 * ranks that jobs have on this machine and marks their streams. For the jobs whose leader is this
 * machine, it tells the coordinator that a stage is done, that the job has stopped, and how far it
 * is; if a job needs leave to communicate, the agent asks for it and passes on the answer.
 *
 * Marks (Grouper §IV-B): what this machine sends for a job leaves in the band of the job's priority
 * here, and carries the codepoint of the job's priority at the machine that receives it. This holds
 * for data and for acknowledgements, which then starve behind the data of earlier priorities that
 * the same machine sends; ControlAcks puts them into the queue of control messages. A priority that
 * is not known yet is taken for the last one; where nobody orders, every job has priority 1. With a
 * ladder, the data of a message falls by one priority for each threshold that it has passed.
 *
 * The leader knows at once that the last worker has finished, wherever that worker is: this is not
 * sent over the network.
 */
class Agent : public Object, private JobListener
{
  public:
    static TypeId GetTypeId();

    /** \param host machine; its control messages go through `plane`, which must outlive the run */
    Agent(HostId host, Ptr<ControlPlane> plane);
    ~Agent() override;

    HostId GetHost() const
    {
        return m_host;
    }

    /**
     * Once, before the first job: do what this scheduler needs from machines. If it orders coflows,
     * leaders report their starts and ends; if it has demotion thresholds, the streams that start
     * here get it.
     */
    void SetScheduler(Ptr<const NetworkScheduler> scheduler);

    /** A job with a rank on this machine has been launched. The agent forgets it when it has
     * stopped. */
    void AddJob(Ptr<Job> job);

    using RemarkCallback = void (*)(const RemarkRecord&);

  protected:
    void DoDispose() override;

  private:
    /** What the agent knows of a job. */
    struct LocalJob
    {
        Ptr<Job> job;
        std::vector<Ptr<MessageStream>> streams; //!< that start or end here, not both
        std::map<HostId, uint32_t> priorities;   //!< at this machine and at its peers
        uint32_t stage{1};                       //!< for which the newest priority holds
    };

    void Handle(const StartStage& message);
    void Handle(const PauseJob& message);
    void Handle(const StopBefore& message);
    void Handle(const StopJob& message);
    void Handle(const ProgressRequest& message);
    void Handle(const BytesRequest& message);
    void Handle(const GateGrant& message);
    void Handle(const Priorities& message);

    template <typename Other>
    void Handle(const Other&)
    {
        NS_ABORT_MSG("machine " << m_host << " got a message for the coordinator");
    }

    void HandleStageEnd(const Job& job, uint32_t stage) override;
    void HandleCoflowStart(const Job& job, uint64_t iteration) override;
    void HandleReady(const Job& job, uint64_t iteration) override;
    void HandleIterationEnd(const Job& job, uint64_t iteration) override;
    void HandleDrained(const Job& job) override;
    void HandleStopped(const Job& job) override;
    bool ReportsCoflows(const Job& job) const;
    static void NotifyDemotion(Agent* agent, JobId job);
    void SetDemotionThresholds(JobId id, const LocalJob& job);
    void Remark(const LocalJob& job);
    Mark ComputeMark(const LocalJob& job, Ptr<const MessageStream> stream) const;

    HostId m_host;
    Ptr<ControlPlane> m_plane;
    uint32_t m_bands;
    uint32_t m_queues;
    bool m_controlAcks;
    bool m_reportsCoflows{false};
    bool m_isOrdered{true};             //!< priorities come from the coordinator
    std::vector<uint64_t> m_thresholds; //!< of the streams that start here
    std::map<JobId, LocalJob> m_jobs;

    TracedCallback<const RemarkRecord&> m_remark; //!< "Remark"
};

} // namespace ns3::ddl

#endif // DDL_AGENT_H
