// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RANK_H
#define DDL_RANK_H

#include "ddl-task-times.h"

#include "ns3/ddl-gpu.h"
#include "ns3/ddl-rank-plan.h"
#include "ns3/ddl-sending-stream.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/simple-ref-count.h"

#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace ns3::ddl
{

class LocalRun;
class Rank;

/**
 * The sending end of a stream from one rank to another. A queue holds the transfers that are not
 * acknowledged yet; messages are acknowledged in order.
 */
class SendingEnd
{
  public:
    /**
     * \param stream an open stream from the rank's machine
     * \param source the rank that sends, which outlives this object
     * \param destination number of the rank that receives
     */
    SendingEnd(Ptr<SendingStream> stream, Rank& source, uint32_t destination);

    SendingEnd(const SendingEnd&) = delete;
    SendingEnd& operator=(const SendingEnd&) = delete;

    /**
     * Send a transfer.
     *
     * \param iteration number of the iteration
     * \param slot number of the transfer at the destination
     * \param echo slot at the source that its acknowledgement fills, or RankPlan::NO_ECHO
     * \param bytes its size, at least 1
     */
    void Send(uint64_t iteration, uint32_t slot, uint32_t echo, uint64_t bytes);

    /** Count bytes that were not simulated; see SendingStream. */
    void Credit(uint64_t bytes)
    {
        m_stream->Credit(bytes);
    }

    /** Close it: bytes that have not left are lost, and there are no more calls to the rank. */
    void Close()
    {
        m_stream->Close();
    }

  private:
    struct Sent
    {
        uint64_t iteration;
        uint32_t echo;
    };

    void Acknowledged();

    Ptr<SendingStream> m_stream;
    Rank& m_source;
    uint32_t m_destination;
    std::deque<Sent> m_sent; //!< transfers that are not acknowledged yet, in order
    SendingStream::AcknowledgedCallback m_acknowledged;
};

/**
 * A rank of a job (a worker or a parameter server) on its machine: it does its part of the plan,
 * iteration by iteration.
 *
 * Other ranks may be ahead, or may have received the start of a stage earlier. So transfers of an
 * iteration that this rank has not begun are kept until it begins. Iterations are numbered from 0
 * over all stages, without those that a leap of this run has skipped.
 *
 * Invariants: a rank sends nothing of a bucket before it is ready for it (a worker: it has computed
 * the bucket; a server: its machine has received the start of the stage); buckets get ready, and
 * iterations end, in order.
 */
class Rank : public SimpleRefCount<Rank>
{
  public:
    virtual ~Rank() = default;

    /**
     * Call it once, before all other functions.
     *
     * \param run the run, which outlives the rank, or calls Halt
     * \param plan the plan of this rank, which lives as long as the run
     * \param first the first iteration that it does
     * \param ends sending ends, by the number that the plan gives the channel; they live until Halt
     */
    void Start(LocalRun& run,
               const RankPlan& plan,
               uint64_t first,
               const std::map<uint32_t, SendingEnd*>& ends);

    /** The rank may begin all iterations before `end`. */
    void Grant(uint64_t end);

    /** Stop for good: what arrives from now on is ignored. */
    void Halt();

    bool IsHalted() const
    {
        return m_run == nullptr;
    }

    /** A transfer has arrived here. \param slot its number here */
    virtual void Arrive(uint64_t iteration, uint32_t slot);

    /**
     * A transfer from here has arrived at its destination, which has acknowledged it.
     *
     * \param echo slot here that its acknowledgement fills, or RankPlan::NO_ECHO
     */
    virtual void Acknowledged(uint64_t iteration, uint32_t echo);

    /** \return whether it waits for acknowledgements, because no rank sends to it */
    virtual bool WaitsForOwn() const
    {
        return m_steps->GetSlots() == 0;
    }

  protected:
    /** What one iteration still waits for. */
    struct Progress
    {
        std::vector<uint32_t> missing; //!< number of things that each send group waits for
        uint32_t inbound{0};           //!< transfers that have not arrived here
        uint32_t outbound{0};          //!< transfers from here that are not acknowledged
        uint32_t unsent{0};            //!< send groups that have not gone out
        uint32_t ready{0};             //!< buckets for which the rank is ready
        /** For buckets that go one after the other: how much is missing until each is over, as
         * RankSteps::bucketNeeds counts. */
        std::vector<uint32_t> open;
        uint32_t over{0}; //!< number of buckets that are over, if they go one after the other
    };

    const RankSteps& GetSteps() const
    {
        return *m_steps;
    }

    /** \return the part of the run on this machine; not after Halt */
    LocalRun& GetRun() const
    {
        return *m_run;
    }

    /** \return the sending end of a channel of the plan, by its index there; not after Halt */
    SendingEnd& GetEnd(uint32_t channel) const
    {
        return *m_ends[channel];
    }

    /** \return the iteration before which this rank has to stop */
    uint64_t GetGranted() const
    {
        return m_granted;
    }

    void SetGranted(uint64_t end)
    {
        m_granted = end;
    }

    /** \return the oldest iteration that is not over */
    uint64_t GetOldest() const
    {
        return m_oldest;
    }

    /** \return progress of an iteration that is not over */
    Progress& At(uint64_t iteration);
    /** The rank is ready for the next bucket of that iteration: send the groups that wait for
     * nothing else. */
    void SetBucketReady(uint64_t iteration);
    /** The same for all buckets. */
    void SetReady(uint64_t iteration);
    uint32_t GetBuckets() const;
    /** The oldest iteration is over. */
    void Retire();

  private:
    virtual void DoGrant() = 0; //!< GetGranted() has changed
    /** A transfer has arrived, and what waited for it has been sent. */
    virtual void DoArrive(uint64_t iteration) = 0;
    /** A transfer has been acknowledged, and what waited for that has been sent. */
    virtual void DoAcknowledged(uint64_t iteration) = 0;

    virtual void DoHalt()
    {
    }

    /** \return whether the rank is ready for all buckets of an iteration of which it has heard
     * nothing before */
    virtual bool IsReadyFor(uint64_t iteration) const = 0;

    void AddProgress();
    /** Count down the groups that wait for a slot. */
    void Fill(Progress& progress, uint64_t iteration, uint32_t slot);
    void Satisfy(Progress& progress, uint64_t iteration, uint32_t group);
    void SatisfyBucket(Progress& progress, uint64_t iteration, uint32_t bucket);
    /** If buckets go one after the other: send those whose turn it is. */
    void Advance(Progress& progress, uint64_t iteration);

    LocalRun* m_run{nullptr}; //!< not owned; null after Halt
    const RankPlan* m_plan{nullptr};
    const RankSteps* m_steps{nullptr}; //!< the steps of m_plan
    std::vector<SendingEnd*> m_ends;   //!< not owned; one for each channel of m_plan
    uint64_t m_granted{0};
    uint64_t m_oldest{0};
    std::optional<std::deque<Progress>> m_window; //!< iterations from m_oldest on; none after Halt
    std::vector<Progress> m_spare;                //!< memory of iterations that are over
};

/**
 * A worker: it computes an iteration on its GPU, sends, waits for the transfers to it, and begins
 * the next one at once until the stage's iterations are done.
 *
 * An iteration begins with the preparation of its samples on the CPU (ModelProfile::input), while
 * other jobs can use the GPU. Then come a forward task and one backward task per bucket (or one for
 * all), each submitted when the one before is over; a bucket is sent when its task is over. For a
 * pass of length 0 no task is submitted.
 */
class WorkerRank : public Rank
{
  public:
    /**
     * \param rank its number; worker 0 pauses while a checkpoint is made
     * \param gpu its GPU; null: it computes without one, and delays no other task
     * \param time compute time of an iteration there, without noise
     * \param forward share of the forward pass in that time, 0 to 1
     * \param noise noise of its compute times; outlives it
     */
    WorkerRank(uint32_t rank, Ptr<Gpu> gpu, Time time, double forward, TaskTimes& noise);

    uint32_t GetRank() const
    {
        return m_rank;
    }

    /** Begin no more iterations until the next Grant. \return iterations begun */
    uint64_t Pause();
    /** The worker may send in its oldest iteration. */
    virtual void Admit();
    /** The checkpoint for which it pauses has been made. */
    void Resume();

    /** Finish the iteration that is running, if nothing is missing. */
    void CheckFinished();
    /** Finish the iteration that is running. */
    void Finish();
    /** Its GPU has computed so many iterations that were not simulated. */
    void Credit(uint64_t iterations);

  protected:
    virtual void Compute(); //!< begin the passes: the samples of the iteration are there
    /** \return whether the iteration that is running lacks nothing to be over */
    virtual bool IsComplete();
    void DoHalt() override;

  private:
    void DoGrant() override;
    void DoArrive(uint64_t iteration) override;
    void DoAcknowledged(uint64_t iteration) override;
    bool IsReadyFor(uint64_t iteration) const override;

    void Begin();
    void RunTask(Pass pass, Time duration);
    void TaskDone();
    void RunBucket(); //!< compute the next bucket
    /** \param buckets number of buckets that the task which has ended computed */
    void Computed(uint32_t buckets);
    /** Send the buckets that it has computed. */
    void SendComputed();
    void BeginNext(); //!< begin the next iteration, if the worker may

    uint32_t m_rank;
    Ptr<Gpu> m_gpu;
    Time m_time;
    double m_forwardShare;
    TaskTimes& m_noise;
    Gpu::DoneCallback m_taskDone;
    EventId m_task;         //!< end of the task without a GPU, or of the time before the first one
    bool m_holds{false};    //!< whether it pauses until its state is saved
    bool m_running{false};  //!< whether iteration GetOldest() has begun
    bool m_admitted{false}; //!< whether it may send in that iteration
    Pass m_pass{};          //!< pass of the task that runs
    Time m_backward;        //!< time of the backward pass of the iteration that is running
    uint32_t m_computed{0}; //!< buckets of that iteration that it has computed
};

/**
 * A parameter server: it sends pulls as the plan says when pushes have arrived. Adding gradients up
 * takes no time. It sends nothing of a stage before its machine has received the start of that
 * stage.
 */
class ServerRank : public Rank
{
  private:
    void DoGrant() override;
    void DoArrive(uint64_t iteration) override;
    void DoAcknowledged(uint64_t iteration) override;
    bool IsReadyFor(uint64_t iteration) const override;

    /** Forget the iterations in which nothing is left to do. */
    void RetireFinished();

    uint64_t m_known{0}; //!< all iterations below this one have been granted
    uint64_t m_seen{0};  //!< one more than the newest iteration of which something has arrived
};

} // namespace ns3::ddl

#endif // DDL_RANK_H
