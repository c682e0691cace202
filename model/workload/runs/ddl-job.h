// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_JOB_H
#define DDL_JOB_H

#include "ddl-iteration-log.h"
#include "ddl-leaping-run.h"
#include "ddl-run-spec.h"

#include "ns3/ddl-receiving-stream.h"
#include "ns3/ddl-sending-stream.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace ns3::ddl
{

/**
 * What really happened to a job in all its runs: its iterations and stages, its bytes, and their
 * times on all machines. It is for observers: events on the machines update it, and no part of the
 * run depends on it.
 *
 * A run: granted -> launched (all ranks exist, no data move) -> running a stage -> between stages
 * -> ... -> stopped on all machines. Iterations are numbered over all runs.
 */
class Job : public Object
{
  public:
    static TypeId GetTypeId();

    /** \param run the first one, which begins now */
    explicit Job(std::shared_ptr<const RunSpec> run);

    /** The job has GPUs again, and this run begins now. The run before must be over. */
    void BeginRun(std::shared_ptr<const RunSpec> run);

    /** Take note of an event on a machine of the present run. */
    void Note(const RankEvent& event);
    /** The present run is over, even if machines have not reported it. No effect if it is over
     * already. */
    void EndRun();
    /** The ranks of the present run have opened a stream. */
    void NoteStream(Ptr<SendingStream> stream);
    /** The ranks of the present run have accepted a stream. */
    void NoteStream(Ptr<ReceivingStream> stream);

    /** A leap passes over these iterations: progress counts those whose ends are past. See
     * LeapingRun. */
    void Repeat(const Repetition& iterations);
    /**
     * The leap is over.
     *
     * \param over iterations that are over, and were not simulated
     * \param communication communication time of each of them, if it differs from that of the open
     *        iteration
     * \param isSilent whether the open iteration sends nothing; its bytes are counted all the same
     */
    void Skip(const Repetition& over, std::optional<Time> communication, bool isSilent);

    JobId GetId() const
    {
        return m_run->GetId();
    }

    CojobId GetCojob() const
    {
        return m_run->cojob;
    }

    const JobSpec& GetSpec() const
    {
        return m_run->job;
    }

    /** \return the present run, or the last one */
    const RunSpec& GetRun() const
    {
        return *m_run;
    }

    /** \return when the present or last run got its GPUs, absolute */
    Time GetRunStart() const
    {
        return m_start;
    }

    /** \return true from the grant of its GPUs until the last machine has stopped */
    bool IsRunning() const
    {
        return m_stopped < m_run->hosts.size();
    }

    /** \return whether a machine has failed in the present or last run */
    bool HasFailed() const
    {
        return m_hasFailed;
    }

    // Members of the present or last run: see RunSpec.
    const Placement& GetPlacement() const
    {
        return m_run->placement;
    }

    const std::vector<HostBytes>& GetHostBytes() const
    {
        return m_run->hostBytes;
    }

    /** \return sending ends of the present run, in the order of opening; none after its end */
    const std::vector<Ptr<SendingStream>>& GetSending() const
    {
        return m_sending;
    }

    /** \return receiving ends of the present run; none after its end */
    const std::vector<Ptr<ReceivingStream>>& GetReceiving() const
    {
        return m_receiving;
    }

    /** \return number of a stream of the present run; the greatest number if it is not open */
    StreamId FindStream(const StreamName& name) const;

    /** \return number of iterations of all stages up to the current one, this one included */
    uint64_t GetStageEnd() const
    {
        return m_doneAfter;
    }

    /** \return the current or last stage, from 1; 0 before the first */
    uint32_t GetStage() const
    {
        return m_stage;
    }

    /** \return number of iterations that all workers have finished, over all stages */
    uint64_t GetIterationsDone() const
    {
        return m_log.GetDone() + m_repetition.CountOver();
    }

    /** \return number of iterations of the current stage that all workers have finished */
    uint64_t GetStageIterationsDone() const
    {
        return GetIterationsDone() - m_doneBefore;
    }

    /** \return the times of its iterations; iterations of a leap are added when the leap is over */
    const IterationLog& GetLog() const
    {
        return m_log;
    }

    /** \return sum of the times from when the last worker was ready until the leader's machine was
     * admitted; for a job of tasks, sum of the times for which its transfers waited for the gate */
    Time GetGateWait() const
    {
        return m_gateWait;
    }

    /** \return whether the job waits for the gate at present */
    bool IsHeld() const
    {
        return m_held > 0 && IsRunning();
    }

    /** \return when the present or last run trained, until now; none before its first iteration */
    const std::optional<TrainingSpan>& GetTraining() const
    {
        return m_training;
    }

    /** What a run cost, besides iterations. */
    struct Overhead
    {
        Time loading; //!< longest time from when a machine knew of the run until it was ready
        Time saving;  //!< time for which worker 0 held still while the state was saved
        uint32_t checkpoints{0}; //!< number of checkpoints, without that of a suspension
        uint64_t stateBytes{0};  //!< bytes of states loaded from the storage or saved there
        uint64_t repeated{0};    //!< iterations that it does again, because a failure undid them
        Time lost;               //!< time that the run before spent on repeated iterations
    };

    /** \return overhead of the present or last run, until now */
    const Overhead& GetOverhead() const
    {
        return m_overhead;
    }

    /** \return time for which the job has held GPUs, in all runs */
    Time GetOccupiedTime() const;
    uint64_t GetRunBytes() const;           //!< bytes sent in this run so far, leaps included
    uint64_t GetBytes() const;              //!< bytes sent in all runs so far, leaps included
    uint64_t GetDeliveredBytes() const;     //!< bytes that have arrived in all runs so far
    uint64_t GetIterationBytesLeft() const; //!< bytes of the oldest iteration still to arrive

    /** \return bytes that one iteration sends */
    uint64_t GetIterationBytes() const
    {
        return m_run->plan->bytes;
    }

    using StageCallback = void (*)(Ptr<const Job>, uint32_t);
    using CoflowCallback = void (*)(Ptr<const Job>, uint64_t);
    using IterationCallback = void (*)(const IterationRecord&);
    using LeapCallback = void (*)(const IterationLeap&);
    using JobCallback = void (*)(Ptr<const Job>);
    using SendingCallback = void (*)(Ptr<const Job>, Ptr<SendingStream>);
    using ReceivingCallback = void (*)(Ptr<const Job>, Ptr<ReceivingStream>);

  private:
    void NoteStage(uint32_t stage, uint64_t end);
    uint64_t GetLeaptBytes() const;
    void NoteLaunched(HostId machine);
    bool EndLoading(HostId machine);
    void NoteLoaded(HostId machine);
    void EndSaving();
    void NoteSaved(uint64_t iterations);
    void NoteMark(uint64_t iterations);
    void NoteLost();
    void NoteBegan(uint64_t iteration);
    void NoteReady(uint64_t iteration);
    void NoteFinished(uint64_t iteration);
    IterationRecord MakeRecord(uint64_t iteration,
                               const IterationLog::Entry& entry,
                               Time end) const;
    void NoteAdmitted(HostId machine, uint64_t iteration);
    void CountHeld(int64_t change);
    void NoteStopped();
    void ForgetStreams();

    std::shared_ptr<const RunSpec> m_run; //!< the present or last run
    Time m_start;                         //!< when m_run got its GPUs
    Time m_end;                           //!< end of the run that ended last
    std::size_t m_launched{0};            //!< number of machines of m_run that have launched
    std::size_t m_stopped{0};             //!< number of machines of m_run that have stopped
    bool m_hasFailed{false};              //!< whether a machine of m_run has failed
    std::vector<Ptr<SendingStream>> m_sending;
    std::vector<Ptr<ReceivingStream>> m_receiving;
    std::map<StreamName, StreamId> m_streamIds;
    uint64_t m_bytesBefore{0};     //!< bytes sent in the runs before m_run
    uint64_t m_deliveredBefore{0}; //!< bytes that arrived in the runs before m_run
    Time m_occupied;               //!< time that runs which are over have held GPUs

    Repetition m_repetition;    //!< iterations that pass in the present leap
    uint64_t m_skippedBytes{0}; //!< bytes that count as sent in leaps of m_run that are over
    Overhead m_overhead;
    std::optional<TrainingSpan> m_training; //!< when m_run trained, until now
    std::map<HostId, Time> m_loading;       //!< machines that load, and since when
    std::optional<Time> m_saving;           //!< since when the state is being saved
    /** Numbers of iterations done behind which the next run may begin, and when m_run had them. */
    std::deque<std::pair<uint64_t, Time>> m_marks;

    IterationLog m_log;
    uint32_t m_stage{0};
    uint64_t m_doneBefore{0}; //!< iterations of the stages before the current one
    uint64_t m_doneAfter{0};  //!< iterations of the stages up to the current one, included
    /** 1 while the leader's machine waits for leave to send. For a job of tasks, the number of its
     * transfers that wait. */
    int64_t m_held{0};
    uint64_t m_admitted{0}; //!< newest iteration, from 1, that some machine may send in
    Time m_heldSince;       //!< when m_held changed last
    Time m_gateWait;

    TracedCallback<Ptr<const Job>> m_launchedTrace; //!< "Launched": see GetTypeId
    TracedCallback<Ptr<const Job>, Ptr<SendingStream>> m_sendingTrace;     //!< "Sending"
    TracedCallback<Ptr<const Job>, Ptr<ReceivingStream>> m_receivingTrace; //!< "Receiving"
    TracedCallback<Ptr<const Job>, uint32_t> m_stageStart;                 //!< "StageStart"
    TracedCallback<Ptr<const Job>, uint32_t> m_stageEnd;                   //!< "StageEnd"
    TracedCallback<Ptr<const Job>, uint64_t> m_ready;                      //!< "Ready"
    TracedCallback<Ptr<const Job>, uint64_t> m_coflowStart;                //!< "CoflowStart"
    TracedCallback<const IterationRecord&> m_iterationEnd;                 //!< "IterationEnd"
    TracedCallback<const IterationLeap&> m_leapTrace;                      //!< "Leap"
    TracedCallback<Ptr<const Job>> m_stoppedTrace;                         //!< "Stopped"
};

} // namespace ns3::ddl

#endif // DDL_JOB_H
