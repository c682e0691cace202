// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SAMPLE_RUN_H
#define DDL_SAMPLE_RUN_H

#include "ns3/ddl-run-result.h"

#include <gtest/gtest.h>

namespace ns3::ddl
{

/** \return a made-up run with two stages, two jobs, and one row of everything else */
inline RunResult
MakeSampleRun()
{
    RunResult run;
    run.end = Seconds(6);
    run.stages = {
        {CojobId{7}, 1, 2, Seconds(1), Seconds(1.5), Seconds(4), 123456789012, 2.0},
        {CojobId{7}, 2, 1, Seconds(1), Seconds(4.25), Seconds(6), 10, std::nullopt},
    };
    JobRow job;
    job.job = JobId{3};
    job.cojob = CojobId{7};
    job.model = "VGG19";
    job.workers = 4;
    job.servers = 2;
    job.pattern = "parameter-server";
    job.submit = Seconds(1);
    job.start = Seconds(1.5);
    job.end = Seconds(6);
    job.communication = Seconds(2);
    job.compute = Seconds(1);
    job.iterations = 30;
    job.accuracy = 0.5;
    job.loss = 1.25;
    job.nearConverged = Seconds(4);
    job.bytes = 100;
    job.gateWait = MilliSeconds(250);
    job.runs = 2;
    job.occupied = Seconds(3.5);
    job.weight = 3;
    job.leapError = 0.5;
    JobRunRecord part;
    part.job = {3};
    part.run = 2;
    part.start = Seconds(1.5);
    part.end = Seconds(6);
    part.reason = "suspended";
    part.placement = {{GpuId{{0}, 1}, GpuId{{0}, 2}, GpuId{{5}, 0}}, {}};
    part.iterations = 7;
    part.switching = Seconds(2.5);
    part.checkpoints = 3;
    part.stateBytes = 4000;
    part.repeated = 2;
    part.lost = Seconds(0.25);
    part.training = TrainingSpan{Seconds(3), Seconds(5.5)};
    part.bytes = 90;
    run.runs.push_back(part);
    job.alone = 4.0;
    JobRow plain;
    plain.job = JobId{4};
    plain.model = "a,b";
    plain.workers = 1;
    plain.pattern = "ring";
    plain.start = NanoSeconds(1);
    plain.end = NanoSeconds(2);
    plain.compute = NanoSeconds(1);
    plain.iterations = 1;
    plain.occupied = NanoSeconds(1);
    plain.stoppedEarly = true;
    run.jobs = {job, plain};
    run.iterations = {{JobId{3}, 1, Seconds(1.5), Seconds(1.55), Seconds(1.6), Seconds(2), 50, 8},
                      {JobId{4}, 1, Seconds(0), Seconds(1), Seconds(1), Seconds(1), 0, 0}};
    run.coflows = {{run.iterations[0], 1}};
    run.ports = {
        {"leaf0", 4, "spine1", 2, 1000, 1500000, 3, 20, 64000, 0.1234567891, DataRate("25Gbps")}};
    run.remarks = {{Seconds(2.5), HostId{5}, StreamId{12}, JobId{3}, 2, Mark{1, 46}, false, {}}};
    run.schedule = {{Seconds(2.25), 2, "7.2=7.1 8.1", 1.25, 5, 320}};
    run.waits = {{Seconds(1), CojobId{7}, std::nullopt, 8, 3, "no GPUs", std::nullopt},
                 {Seconds(2), CojobId{9}, JobId{4}, 1, 3, "no rack", Seconds(12)}};
    run.remarkCount = 1;
    run.runTotals = {1, 1, 0, 0, Seconds(2.5), 3, 4000, 2, Seconds(0.25)};
    run.schedulerRuns = 1;
    run.cojobs = {{CojobId{7}, Seconds(1), Seconds(6), Seconds(4)}};
    run.makespan = Seconds(6);
    run.gpuUtilisation = 0.25;
    return run;
}

} // namespace ns3::ddl

#endif // DDL_SAMPLE_RUN_H
