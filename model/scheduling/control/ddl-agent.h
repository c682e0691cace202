// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_AGENT_H
#define DDL_AGENT_H

#include "ddl-control-plane.h"

#include "ns3/ddl-job.h"
#include "ns3/ddl-network-scheduler.h"
#include "ns3/ddl-priority.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <map>

namespace ns3
{
namespace ddl
{

/** One end of a stream writes another mark from now on. */
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
 * The scheduler's hand on one machine (Grouper Fig. 6): starts and stops the ranks of the jobs that
 * live there, tells the coordinator when the jobs that are led from there have finished a stage or
 * stopped and how far they are, and marks their streams. For jobs that need leave to communicate it
 * asks as their leader, and passes on the answer.
 *
 * Marks (Grouper §IV-B): what this machine sends for a job leaves in the band of the job's rank
 * here, and carries the codepoint of the job's rank at the machine that receives it. This holds for
 * data and for acknowledgements, which then starve behind the data of higher stages that the same
 * machine sends; ControlAcks takes them out of the order. A rank that is not known yet is taken for
 * the lowest. Where streams are marked by the service that they attained, a message has one rank at
 * all queues, and acknowledgements, which carry no payload, the first one.
 *
 * That the last worker has finished is known at the leader at once, wherever that worker is: the
 * worker's word to its leader is not sent over the network.
 */
class Agent : public Object
{
  public:
    static TypeId GetTypeId();

    /** \param host machine; its control messages go through `plane`, which must outlive the run */
    Agent(HostId host, Ptr<ControlPlane> plane);
    ~Agent() override;

    HostId GetHost() const;

    /**
     * Once, before the first job: do what this scheduler needs from machines. If it orders coflows,
     * the leaders report their coming and going; if it has demotion thresholds, streams are marked
     * by what their message has attained, and ranks from the coordinator do not matter.
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
        std::map<HostId, uint32_t> ranks;        //!< at this machine and at its peers
        std::map<StreamId, uint32_t> levels;     //!< of service; with demotion thresholds
        uint32_t stage{1};                       //!< for which the newest rank holds
    };

    void Handle(const ControlMessage& message);
    void Handle(const StartStage& message);
    void Handle(const StopJob& message);
    void Handle(const ProgressRequest& message);
    void Handle(const BytesRequest& message);
    void Handle(const GateGrant& message);
    void Handle(const Ranks& message);

    void NotifyStageEnd(Ptr<const Job> job, uint32_t stage);
    void NotifyStopped(Ptr<const Job> job);
    void NotifyCoflowStart(Ptr<const Job> job, uint32_t iteration);
    void NotifyReady(Ptr<const Job> job, uint32_t iteration);
    void NotifyIterationEnd(const IterationRecord& iteration);
    static void NotifyLevel(Agent* agent, JobId job, StreamId stream, uint32_t level);
    void ConnectLeader(Ptr<Job> job);
    void WatchLevels(JobId id, const LocalJob& job);
    void Remark(const LocalJob& job);
    Mark ComputeMark(const LocalJob& job, Ptr<const MessageStream> stream) const;
    Mark ComputeLevelMark(const LocalJob& job, Ptr<const MessageStream> stream) const;

    HostId m_host;
    Ptr<ControlPlane> m_plane;
    uint32_t m_bands;
    uint32_t m_queues;
    bool m_controlAcks;
    bool m_reportsCoflows{false};
    std::vector<uint64_t> m_thresholds; //!< of demotion; none: ranks come from the coordinator
    std::map<JobId, LocalJob> m_jobs;

    TracedCallback<const RemarkRecord&> m_remark; //!< "Remark"
};

} // namespace ddl
} // namespace ns3

#endif // DDL_AGENT_H
