// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-result-tables.h"

#include "ddl-series-recorder.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-job-hosts.h"
#include "ns3/ddl-job-manager.h"
#include "ns3/ddl-training-cluster.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::ddl
{

namespace
{

/** The tables while they are described. */
struct TableList
{
    template <typename Row, typename... Rest>
    Table<Row>& Make(Rest... rest)
    {
        auto table = std::make_unique<Table<Row>>(rest...);
        Table<Row>& made = *table;
        tables.push_back(std::move(table));
        return made;
    }

    std::vector<std::unique_ptr<const ResultTable>> tables;
};

/** \return the machines of a placement, "h0 h3" */
std::string
ListHostNames(const JobRunRecord& run)
{
    std::string names;
    for (const HostId host : ListHosts(ListRankHosts(run.placement)))
    {
        names += (names.empty() ? "h" : " h") + std::to_string(host.value);
    }
    return names;
}

/** \return the GPUs of a run, machine and index, "0:0 0:1 3:0" */
std::string
ListGpuNames(const JobRunRecord& run)
{
    std::string names;
    for (const GpuId& gpu : ListGpus(run.placement))
    {
        names += (names.empty() ? "" : " ") + std::to_string(gpu.host.value) + ":" +
                 std::to_string(gpu.index);
    }
    return names;
}

void
AddStages(TableList& list)
{
    list.Make<StageRow>("stages", "a stage of a cojob that has ended", &RunResult::stages)
        .KeepAlways()
        .Add("cojob_id", "cojob", &StageRow::cojob)
        .Add("stage", "stage: its number in the cojob, from 1", &StageRow::stage)
        .Add("jobs", "jobs: live ones that ran it", &StageRow::jobs)
        .Add("release_s",
             "release: arrival of the cojob, the same for all its stages",
             &StageRow::release)
        .Add("start_s",
             "start: the start message reached the first machine of the first job",
             &StageRow::start)
        .Add("end_s", "end: the last worker of the last job finished", &StageRow::end)
        .Add("sct_s",
             "stage completion time: `end_s - release_s`, so it is cumulative (Grouper Eq. 1-2)",
             [](const StageRow& row) { return row.end - row.release; })
        .Add("alone_s",
             "completion time alone: `sct_s` when the cojob has the cluster to itself",
             &StageRow::alone,
             "without `output.alone`, in a sampled run, for a cojob that was not over, and where "
             "the "
             "run or its run alone failed or was interrupted")
        .Add("slowdown",
             "stage slowdown: `sct_s / alone_s`",
             &StageRow::GetSlowdown,
             "where `alone_s` is empty or 0")
        .Add("bytes", "bytes given to streams in the stage", &StageRow::bytes);
}

void
AddJobs(TableList& list)
{
    list.Make<JobRow>("jobs",
                      "a job that has left: it has ended, or was stopped early",
                      &RunResult::jobs)
        .KeepAlways()
        .Add("job_id", "job", &JobRow::job)
        .Add("cojob_id", "cojob of the job", &JobRow::cojob, "for a plain job")
        .Add("model", "model: its name", &JobRow::model, "for a model without a name")
        .Add("workers", "workers", &JobRow::workers)
        .Add("servers", "parameter servers", &JobRow::servers)
        .Add("pattern", "communication pattern: its name", &JobRow::pattern)
        .Add("submit_s", "submission: arrival of the job, or of its cojob", &JobRow::submit)
        .Add("start_s",
             "start: the start message of its first stage reached its first machine",
             &JobRow::start)
        .Add("end_s",
             "end: its last worker finished the last stage; if it was stopped early, the stop "
             "message reached the last of its machines",
             &JobRow::end)
        .Add("jct_s",
             "job completion time: `end_s - submit_s`",
             [](const JobRow& row) { return row.end - row.submit; })
        .Add("queue_s",
             "first wait: `start_s - submit_s`, for GPUs, launch, first control message",
             [](const JobRow& row) { return row.start - row.submit; })
        .Add("comm_s",
             "communication not hidden: sum over iterations, from last worker computed to last "
             "worker finished; with overlap, what the backward pass does not hide",
             &JobRow::communication)
        .Add("compute_s",
             "compute time: sum over iterations, from first worker began to last worker computed; "
             "includes waits for shared GPUs",
             &JobRow::compute)
        .Add("iterations", "iterations done", &JobRow::iterations)
        .Add("stopped_early",
             "stopped early: the search stopped it before the cojob's last stage",
             &JobRow::stoppedEarly)
        .Add("alone_s",
             "completion time alone: `jct_s` when the job has the cluster to itself",
             &JobRow::alone,
             "without `output.alone`, in a sampled run, for a job that did no iteration, and where "
             "the "
             "run or its run alone failed or was interrupted")
        .Add("slowdown",
             "job slowdown: `jct_s / alone_s`",
             &JobRow::GetSlowdown,
             "where `alone_s` is empty or 0")
        .Add("bytes", "bytes given to streams", &JobRow::bytes)
        .Add("accuracy",
             "accuracy at its end",
             &JobRow::accuracy,
             "without a curve of the accuracy")
        .Add("loss", "loss at its end", &JobRow::loss, "without a curve of the loss")
        .Add("tta90_s",
             "time to 90 % accuracy: from submission to 90 % of its converged accuracy "
             "([workload.md](workload.md))",
             &JobRow::GetTimeToAccuracy,
             "if never reached")
        .Add("gate_wait_s",
             "wait for the gate: sum over iterations, from last worker computed to the gate's "
             "grant, part of `comm_s`; of a job of tasks, sum over all pulls and pushes, from "
             "question to grant",
             &JobRow::gateWait)
        .Add("runs", "runs: one more than how often it lost its GPUs", &JobRow::runs)
        .Add("waited_s", "waited for GPUs: `jct_s - occupied_s`", &JobRow::GetWaited)
        .Add("occupied_s",
             "held GPUs: for how long, launching and saving included",
             &JobRow::occupied)
        .Add("weight", "weight of its completion", &JobRow::weight)
        .Add("leap_error_s",
             "error by leaps: half of the 95 % interval of `end_s` and `jct_s` "
             "([leaps.md](leaps.md#jobs-that-contend-leaperror))",
             &JobRow::leapError,
             "if neither it nor a job that it waited for has leapt by its mean");
}

void
AddRuns(TableList& list)
{
    using Run = JobRunRecord;
    list.Make<Run>("runs", "a run of a job: from a grant of GPUs to their return", &RunResult::runs)
        .Add("job_id", "job", &Run::job)
        .Add("run", "run: its number in the job, from 1", &Run::run)
        .Add("start_s", "start: it got its GPUs", &Run::start)
        .Add("end_s", "end: its GPUs were free again", &Run::end)
        .Add("reason",
             "reason of its end: `done`; `stopped-early` by the search; `suspended`, after the "
             "iterations begun; `migrated`, likewise, to go on elsewhere; `killed` at once; "
             "`failed`: a server of it or its cojob failed",
             &Run::reason)
        .Add("servers",
             "machines with a rank of it: `h0 h3`",
             ListHostNames,
             "for a job without machines")
        .Add("gpus",
             "GPUs of its workers: machine and index, `0:0 0:1 3:2`",
             ListGpuNames,
             "for a job without GPUs")
        .Add("iterations",
             "iterations finished by all workers: some may be repeated after `failed`",
             &Run::iterations)
        .Add("switch_s",
             "switching: launching (slowest machine), loading and saving (`scheduler.switch`), "
             "checkpoints included",
             &Run::switching)
        .Add("bytes", "bytes given to streams", &Run::bytes)
        .Add("checkpoints", "checkpoints: by `checkpointEvery`", &Run::checkpoints)
        .Add("state_bytes", "bytes of states: loaded from and saved to `storage`", &Run::stateBytes)
        .Add("repeated", "iterations done again after a failure", &Run::repeated)
        .Add("lost_s",
             "lost time: what the run before spent on them, from its last valid checkpoint to its "
             "end",
             &Run::lost)
        .Add(
            "train_start_s",
            "begin of training: its first worker began its first iteration",
            [](const Run& run) {
                return run.training ? std::make_optional(run.training->start) : std::nullopt;
            },
            "if no iteration began")
        .Add(
            "train_end_s",
            "end of training: a worker last finished an iteration; `train_start_s` if none did",
            [](const Run& run) {
                return run.training ? std::make_optional(run.training->end) : std::nullopt;
            },
            "if no iteration began");
}

void
AddPorts(TableList& list)
{
    list.Make<PortRow>("ports", "an egress queue of a port", &RunResult::ports)
        .AtEnd()
        .Add("node",
             "node of the port: `h0`, `leaf0`, `spine0`, `switch0`... ([names](fabric.md))",
             &PortRow::node)
        .Add("port", "port: its index at the node", &PortRow::port)
        .Add("peer", "node at the other end", &PortRow::peer)
        .Add("queue",
             "queue: 0 is for control; of unlimited queues, those from 8 on only if used",
             &PortRow::queue)
        .Add("packets", "packets sent", &PortRow::packets, "in fluids")
        .Add("bytes", "bytes sent: IPv4, with acknowledgements", &PortRow::bytes)
        .Add("dropped",
             "packets dropped: no room, flushed, or lost on the wire of a fallen link",
             &PortRow::dropped,
             "in fluids")
        .Add("marked", "ECN marks set here", &PortRow::marked, "in fluids")
        .Add("max_backlog_bytes", "largest backlog", &PortRow::maxBacklogBytes, "in fluids")
        .Add(
            "utilisation",
            "utilisation: share of the run, to `end_s` of the summary, in which its frames were on "
            "the wire, with framing (0 to 1)",
            &PortRow::utilisation)
        .Add("rate_bps", "rate of the link", [](const PortRow& row) {
            return row.rate.GetBitRate();
        });
}

void
AddPaths(TableList& list)
{
    const auto hostName = [](HostId host) { return "h" + std::to_string(host.value); };
    list.Make<PathRow>("paths",
                       "an egress port on the path of a stream of a job",
                       &RunResult::paths)
        .Choice()
        .Add("time_s",
             "time at which the stream was opened, or pinned to the path: data in flight stay on "
             "the path before; that links fail or come back moves streams without a row",
             &PathRow::time)
        .Add("job_id", "job of the stream", &PathRow::job)
        .Add("run", "run of the job: its number, from 1", &PathRow::run)
        .Add("stream_id",
             "stream of data: without those of checkpoints, and within machines; its "
             "acknowledgements are not listed",
             &PathRow::stream)
        .Add("source",
             "machine that sends",
             [hostName](const PathRow& row) { return hostName(row.source); })
        .Add("destination",
             "machine that receives",
             [hostName](const PathRow& row) { return hostName(row.destination); })
        .Add("queue_pair",
             "queue pair of the stream, from 0",
             &PathRow::pair,
             "where the stream has one, and where all take the same ports")
        .Add("hop", "hop: the number of the port on the path, from 1, the sender's", &PathRow::hop)
        .Add("node", "node of the port, as in `ports.csv`", &PathRow::node)
        .Add("port", "port: its index at the node", &PathRow::port)
        .Add("peer", "node at the other end", &PathRow::peer)
        .Add("share",
             "share of the data of the stream, or of its queue pair, that passes the port: 1 where "
             "switches keep flows to one port; with `spray` an equal part for each port",
             &PathRow::share,
             "where it depends on the state of switches, or each packet has an entropy of its own: "
             "then all ports of equal-cost paths are listed");
}

void
AddRemarks(TableList& list)
{
    list.Make<RemarkRecord>("remarks",
                            "a change of the mark that a machine writes for a stream",
                            &RunResult::remarks)
        .Add("time_s",
             "time of the change: packets already in the NIC keep their mark",
             &RemarkRecord::time)
        .Add("host",
             "machine of the change: one end of the stream",
             [](const RemarkRecord& row) { return "h" + std::to_string(row.host.value); })
        .Add("stream_id", "stream", &RemarkRecord::stream)
        .Add("job_id", "job of the stream", &RemarkRecord::job)
        .Add("stage", "stage for which the mark is meant", &RemarkRecord::stage)
        .Add(
            "host_band",
            "band of that machine's NIC: the priority there (0 to 7; 0 to 62 with unlimited bands)",
            [](const RemarkRecord& row) { return row.mark.band; })
        .Add("dscp",
             "codepoint: the priority at the other end (0 to 63). 48 is control, so with unlimited "
             "queues priority 48 is sent as 49, and so on",
             [](const RemarkRecord& row) { return row.mark.dscp; });
}

void
AddSchedule(TableList& list)
{
    list.Make<ScheduleRecord>("schedule", "a run of the network scheduler", &RunResult::schedule)
        .Add("time_s", "time of the run", &ScheduleRecord::time)
        .Add("units", "units: stages, jobs or coflows that it ordered", &ScheduleRecord::units)
        .Add("order",
             "order: `COJOB.STAGE`, `JOB`, or `JOB:ITERATION` of a coflow, first one first; `=` "
             "joins units of equal priority",
             &ScheduleRecord::order,
             "if there are no units")
        .Add(
            "sct_over_bound",
            "promise over bound: the sum of completion times that the order promises to the stages "
            "in `units`, over its lower bound ([certificates.md](certificates.md))",
            &ScheduleRecord::sctOverBound,
            "where it orders no stages, units share a priority, or a live cojob has compute or "
            "several phases")
        .Add("messages",
             "control messages since the row before: both ways, also within the coordinator's "
             "machine",
             &ScheduleRecord::messages)
        .Add("control_bytes",
             "bytes of these messages without headers",
             &ScheduleRecord::controlBytes);
}

void
AddIterations(TableList& list)
{
    using Iteration = IterationRecord;
    list.Make<Iteration>("iterations", "an iteration of a job", &RunResult::iterations)
        .Choice()
        .Add("job_id", "job", &Iteration::job)
        .Add("iteration", "iteration: counted through all stages of the job", &Iteration::iteration)
        .Add("start_s", "start: the first worker began", &Iteration::start)
        .Add("compute_end_s", "end of computing: the last worker computed", &Iteration::computeEnd)
        .Add("end_s", "end: the last worker finished", &Iteration::end)
        .Add("bytes", "bytes of the iteration", &Iteration::bytes);
    list.Make<CoflowRow>("coflows",
                         "an iteration of a job that moves bytes, with the times of its transfer",
                         &RunResult::coflows)
        .Choice()
        .Add("coflow_id", "coflow: number of the row", &CoflowRow::number)
        .Add("job_id", "job", &CoflowRow::job)
        .Add("iteration", "iteration: counted through all stages of the job", &CoflowRow::iteration)
        .Add("phase",
             "phase: 1, as pushes and pulls, or all steps of a ring, count together",
             [](const CoflowRow&) { return uint64_t{1}; })
        .Add("start_s",
             "start: the first worker computed, with overlap its first bucket",
             &CoflowRow::transferStart)
        .Add("end_s", "end: the last worker finished", &CoflowRow::end)
        .Add("cct_s",
             "coflow completion time: `end_s - start_s`; a coflow of a trace counts from its "
             "arrival, in `jct_s` of its job",
             [](const CoflowRow& row) { return row.end - row.transferStart; })
        .Add("bytes", "bytes of payload", &CoflowRow::bytes)
        .Add("flows", "messages", &CoflowRow::flows);
}

void
AddTraining(TableList& list)
{
    using Training = TrainingRow;
    list.Make<Training>("training",
                        "a job of a task graph that has left: how its GPUs spent an iteration",
                        &RunResult::training)
        .Choice()
        .KeepAlways()
        .Add("job_id", "job", &Training::job)
        .Add("model", "model: its name", &Training::model, "for a model without a name")
        .Add("workers", "workers", &Training::workers)
        .Add("iterations",
             "iterations simulated: without those that leaps have skipped; the next three columns "
             "are means over them and over ranks",
             &Training::iterations)
        .Add("compute_s",
             "computing: a node of the rank is on its GPU, or waits for it",
             &Training::compute)
        .Add("exposed_s",
             "exposed communication: the GPU idles while a message or collective of the rank is "
             "under way ([graphs.md](graphs.md#metrics))",
             &Training::exposed)
        .Add("bubble_s",
             "bubble: the GPU idles otherwise, and waits for what other ranks compute",
             &Training::bubble)
        .Add("bubble_ratio",
             "bubble ratio: `bubble_s / compute_s`",
             &Training::GetBubbleRatio,
             "if it computes nothing")
        .Add("training_s",
             "training: sum over runs, from the beginning of the first iteration to the end of the "
             "last one, leaps included",
             &Training::training)
        .Add("tokens_per_s",
             "tokens per second: tokens of all iterations over `training_s`",
             &Training::tokens,
             "except for the kind `llm`")
        .Add("flops_per_gpu",
             "achieved FLOP/s per GPU: FLOPs of the model in all iterations, without what is "
             "computed again, over `training_s` and GPUs",
             &Training::flops,
             "except for the kind `llm`")
        .Add("mfu",
             "model FLOPs utilisation: `flops_per_gpu` over the peak of its GPUs (0 to 1)",
             &Training::mfu,
             "except for the kind `llm`");
}

void
AddCollectives(TableList& list)
{
    using Row = CollectiveRow;
    list.Make<Row>("collectives",
                   "equal collectives of a group of ranks, in a job that has left",
                   &RunResult::collectives)
        .Choice()
        .Add("job_id", "job", &Row::job)
        .Add("group", "group: its name in the task graph", &Row::group, "for one without a name")
        .Add("ranks", "ranks of the group", &Row::ranks)
        .Add("collective", "collective: `all-reduce`, `all-gather`...", &Row::collective)
        .Add("algorithm", "algorithm: `ring`, `direct`, `chain`...", &Row::algorithm)
        .Add("bytes",
             "bytes of the whole buffer, as nccl-tests count them: before an all-reduce, after an "
             "all-gather",
             &Row::bytes)
        .Add("count", "collectives that were simulated to their end", &Row::count)
        .Add("mean_s",
             "mean time: from the beginning of the first member to the end of the last one",
             &Row::mean)
        .Add("min_s", "shortest time", &Row::least)
        .Add("max_s", "longest time", &Row::most)
        .Add("algbw_gb_per_s",
             "algorithm bandwidth: `bytes / mean_s`, 10^9 bytes per second",
             &Row::GetAlgorithmBandwidth,
             "for a barrier, and where it takes no time")
        .Add("busbw_gb_per_s",
             "bus bandwidth: `algbw_gb_per_s` times 2 (n - 1) / n for an all-reduce of n ranks, "
             "(n - 1) / n for an all-gather, reduce-scatter or all-to-all, 1 for a broadcast, as "
             "nccl-tests define it",
             &Row::GetBusBandwidth,
             "where `algbw_gb_per_s` is empty");
}

void
AddWaits(TableList& list)
{
    list.Make<WaitRecord>("waits", "a reason why a job waits for GPUs", &RunResult::waits)
        .Choice()
        .From([](const TrainingCluster& cluster, ResultRows& rows) {
            cluster.GetJobManager()->TraceConnectWithoutContext(
                "Wait",
                MakeCallback(&ResultRows::Add<WaitRecord>, &rows));
        })
        .Add("time_s", "time at which the wait, or the reason, began", &WaitRecord::time)
        .Add(
            "cojob_id",
            "cojob whose jobs wait together",
            [](const WaitRecord& row) {
                return row.job ? std::nullopt : std::make_optional(row.cojob);
            },
            "for a plain job")
        .Add("job_id", "plain job", &WaitRecord::job, "for a cojob")
        .Add("gpus", "GPUs that it needs for itself", &WaitRecord::gpus)
        .Add("free_gpus", "GPUs that nobody holds", &WaitRecord::free)
        .Add(
            "reason",
            "reason: `no GPUs`, it needs more than are free; `behind another job`, it may not pass "
            "one, or waits for GPUs that are being freed; `no place`, the placement policy finds "
            "none; `declined`, it waits for a better offer; `holds 1 of 4 GPUs`, it waits for the "
            "others (`HoldPartial`); or the policy's own words",
            &WaitRecord::reason)
        .Add("until_s",
             "time at which it is asked again at the latest",
             &WaitRecord::until,
             "if only a change helps");
}

void
AddTimers(TableList& list)
{
    list.Make<TimersRecord>("timers",
                            "a change of the times for which jobs of some size wait for near GPUs",
                            &RunResult::timers)
        .Choice()
        .Add("time_s", "time of the offer", &TimersRecord::time)
        .Add("gpus", "GPUs that the job needs", &TimersRecord::gpus)
        .Add("machine_timer_s",
             "machine timer: how long, from the beginning of its wait, the job declines GPUs on "
             "several servers",
             [](const TimersRecord& row) { return row.timers.machine; })
        .Add("rack_timer_s",
             "rack timer: how long it declines GPUs in several racks",
             [](const TimersRecord& row) { return row.timers.rack; });
}

void
AddSeries(TableList& list)
{
    list.Make<SeriesRow>("series", "what a port, a job or the GPUs did in an interval")
        .When("output.series")
        .AtEnd()
        .Add("time_s", "end of the interval", &SeriesRow::time)
        .Add("kind", "kind of the subject: `port`, `job`, `gpus` or `jobs`", &SeriesRow::kind)
        .Add("name",
             "name of the subject: NODE-PORT-PEER of a port (`leaf0-4-spine0`), number of a job, "
             "else `all`",
             &SeriesRow::name)
        .Add("queue", "queue of the port", &SeriesRow::queue, "except for a port")
        .Add("quantity", "quantity: see below", &SeriesRow::quantity)
        .Add("value", "value of the quantity", [](const SeriesRow& row) {
            return CsvCount{row.value};
        });
}

void
AddEstimates(TableList& list)
{
    list.Make<EstimateRow>("estimates",
                           "a label of a job that has left: estimate and measurement",
                           &RunResult::estimates)
        .When("scheduler.estimator")
        .KeepAlways()
        .Add("job_id", "job", &EstimateRow::job)
        .Add("label",
             "label: `worker_` or `server_` (a parameter server), and `gpu_utilisation`, "
             "`gpu_utilisation_deviation` (of iterations), `gpu_memory_bytes`, "
             "`receive_bytes_per_s`, `send_bytes_per_s`",
             &EstimateRow::label)
        .Add("predicted",
             "estimate when the job last got GPUs",
             &EstimateRow::predicted,
             "if there was none, so that defaults held")
        .Add("actual",
             "mean while the job trained: bytes of all messages of a rank, also within a machine",
             &EstimateRow::actual)
        .Add("seed", "seed of the run", &EstimateRow::seed);
}

void
AddSamples(TableList& list)
{
    list.Make<SampleRow>("samples", "a job in a sample that is measured")
        .When("fidelity=sampled")
        .AtEnd()
        .Add("sample", "sample: its number", &SampleRow::sample)
        .Add("run", "ns-3's run number for its random times (`--RngRun`)", &SampleRow::run)
        .Add("situation",
             "situation: runs of jobs as JOB.RUN, and their order",
             &SampleRow::situation)
        .Add("cut_s", "time of the run on fluids at which the sample begins", &SampleRow::cut)
        .Add("long", "long sample", &SampleRow::isLong)
        .Add("job", "job", &SampleRow::job)
        .Add("warmup", "iterations of the job before it is measured", &SampleRow::warmup)
        .Add("window", "iterations of the job while it is measured", &SampleRow::window)
        .Add(
            "weight",
            "weight of the row in its stratum: the job's iterations in the situation over the time "
            "of all its jobs (1/s)",
            &SampleRow::weight)
        .Add("compute_s",
             "compute time of the slowest worker: seconds per iteration; with a gate or shared "
             "GPUs 0",
             &SampleRow::compute)
        .Add(
            "packets_s",
            "iteration on packets: its length in the window; with a gate or shared GPUs, transfers "
            "alone",
            &SampleRow::packets)
        .Add("fluid_s", "iteration on fluids: likewise", &SampleRow::fluid)
        .Add(
            "fluid_mean_s",
            "mean iteration on fluids: of this window and of up to seven more of the same visit to "
            "the situation",
            &SampleRow::fluidMean)
        .Add("stratum", "stratum whose ratio applies to the job there", &SampleRow::stratum)
        .Add("windows", "windows that have seen the stratum", &SampleRow::windows)
        .Add("ratio",
             "ratio: adjusted packet time over mean fluid time of the stratum, both without "
             "computing",
             &SampleRow::ratio)
        .Add("ratio_half_width", "half of the ratio's 95 % interval", &SampleRow::halfWidth)
        .Add("estimate_s",
             "final estimate of the length of an iteration of the job in that situation",
             &SampleRow::estimate,
             "with a gate or shared GPUs")
        .Add("iterations",
             "iterations of all jobs of the sample on packets",
             &SampleRow::iterations)
        .Add("packets_cpu_s", "CPU time of these iterations", &SampleRow::cpuSeconds);
}

} // namespace

std::string
ResultColumn::GetTitle() const
{
    return meaning.substr(0, meaning.find(':'));
}

std::string
ResultColumn::GetUnit() const
{
    const auto ends = [this](const std::string& end) {
        return name.size() >= end.size() && name.substr(name.size() - end.size()) == end;
    };
    if (ends("_mean") || ends("_ci95")) // statistics of a quantity
    {
        return ResultColumn{name.substr(0, name.rfind('_')), type, meaning, empty}.GetUnit();
    }
    return ends("_gb_per_s") ? "GB/s"
           : ends("_per_s")  ? "1/s"
           : ends("_s")      ? "s"
           : ends("bytes")   ? "bytes"
                             : "";
}

ResultTable::~ResultTable() = default;

std::string
ResultTable::GetFile() const
{
    return name + ".csv";
}

std::string
ResultTable::GetHeader() const
{
    std::string header;
    for (const auto& column : columns)
    {
        header += (header.empty() ? "" : ",") + column.name;
    }
    return header;
}

bool
ResultTable::IsChoice() const
{
    return isStreamed && key == "output." + name;
}

bool
ResultTable::IsUnwritten(const RunResult& result) const
{
    const auto rows = CountRows(result);
    const bool isWritten = result.streamed.count(name) > 0 && !isAlwaysKept;
    return rows && !isWritten && (key.empty() || *rows > 0);
}

const std::vector<std::unique_ptr<const ResultTable>>&
ListTables()
{
    static const TableList all = [] {
        TableList list;
        for (const auto& add : {AddStages,
                                AddJobs,
                                AddRuns,
                                AddPorts,
                                AddPaths,
                                AddRemarks,
                                AddSchedule,
                                AddIterations,
                                AddTraining,
                                AddCollectives,
                                AddWaits,
                                AddTimers,
                                AddSeries,
                                AddEstimates,
                                AddSamples})
        {
            add(list);
        }
        return list;
    }();
    return all.tables;
}

const ResultTable&
FindTable(const std::string& name)
{
    std::vector<std::string> names;
    for (const auto& table : ListTables())
    {
        if (table->name == name)
        {
            return *table;
        }
        names.push_back(table->name);
    }
    throw InputError("there is no result table \"" + name + "\" (one of " + JoinNames(names) + ")");
}

ResultRows::ResultRows(const std::set<std::string>& wanted, RunResult& kept)
    : m_kept(kept)
{
    for (const auto& name : wanted)
    {
        FindTable(name); // throws
    }
    for (const auto& table : ListTables())
    {
        const bool isWanted = table->key.empty() || wanted.count(table->name) > 0;
        m_places.push_back({table.get(), isWanted});
    }
}

void
ResultRows::EnableFiles(const std::filesystem::path& folder)
{
    for (Place& place : m_places)
    {
        if (place.isWanted && place.table->isStreamed)
        {
            place.file = std::make_unique<CsvFile>(folder / place.table->GetFile(),
                                                   place.table->GetHeader());
            m_kept.streamed.insert(place.table->name);
        }
    }
}

void
ResultRows::Connect(const TrainingCluster& cluster)
{
    for (const Place& place : m_places)
    {
        if (place.isWanted && place.table->connect)
        {
            place.table->connect(cluster, *this);
        }
    }
}

void
ResultRows::Finish()
{
    std::string failures;
    for (const Place& place : m_places)
    {
        try
        {
            if (place.file)
            {
                place.file->Finish();
            }
        }
        catch (const RunError& error)
        {
            failures += (failures.empty() ? "" : "\n") + std::string(error.what());
        }
    }
    if (!failures.empty())
    {
        throw RunError(failures);
    }
}

bool
ResultRows::HasFailed() const
{
    return m_hasFailed;
}

const ResultRows::Place&
ResultRows::Get(const ResultTable& table) const
{
    return *std::find_if(m_places.begin(), m_places.end(), [&table](const Place& place) {
        return place.table == &table;
    });
}

void
ResultRows::NoteRow(CsvFile& file)
{
    file.NoteRow();
    if (file.HasFailed() && !std::exchange(m_hasFailed, true))
    {
        Simulator::Stop(); // further results would be lost
    }
}

} // namespace ns3::ddl
