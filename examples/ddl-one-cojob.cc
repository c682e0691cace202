// SPDX-License-Identifier: GPL-2.0-only
/*
 * A cojob: four trainings with different hyperparameters, of which the worse half stops after each
 * stage (successive halving).
 *
 * Each job computes for 10 ms per iteration and has one iteration per stage, so that stages end at
 * 10, 20 and 30 ms with 4, 2 and 1 jobs. Control messages take no time here (`direct`), which is
 * what makes the times exact.
 */
#include "ns3/core-module.h"
#include "ns3/ddl-module.h"

#include <iostream>

using namespace ns3;
using namespace ns3::ddl;

int
main(int argc, char* argv[])
{
    CommandLine cmd(__FILE__);
    cmd.Parse(argc, argv);

    auto fabric = CreateObject<Fabric>();
    auto top = fabric->AddSwitch("top");
    for (uint32_t host = 0; host < 2; ++host)
    {
        fabric->Connect(fabric->AddHost(), top, DataRate("10Gbps"), MicroSeconds(1));
    }
    fabric->ComputeRoutes();
    fabric->InstallStack();
    ClusterHelper helper;
    helper.SetControlPlane("direct");
    helper.SetGpus(2);
    auto cluster = helper.Install(fabric);
    RunRecorder recorder(cluster);

    CojobSpec cojob;
    cojob.iterations = {1, 1, 1};
    cojob.search.SetTypeId("ns3::ddl::SuccessiveHalvingSearchAlgorithm");
    for (const double accuracy : {0.6, 0.9, 0.7, 0.8})
    {
        JobSpec job;
        job.model.name = "example";
        job.model.forward = MilliSeconds(10);
        job.accuracy = {accuracy, accuracy, accuracy}; // after each stage
        cojob.jobs.push_back(job);
    }
    cluster->Submit(cojob, Seconds(0));
    Simulator::Run();
    const RunResult result = recorder.TakeResult();
    Simulator::Destroy();

    bool good = result.stages.size() == 3 && result.jobs.size() == 4;
    uint32_t live = 4;
    for (const StageRow& stage : result.stages)
    {
        std::cout << "stage " << stage.stage << ": " << stage.jobs << " jobs, ends at "
                  << stage.end.GetMilliSeconds() << " ms\n";
        good = good && stage.jobs == live && stage.end == MilliSeconds(10) * stage.stage;
        live /= 2;
    }
    for (const JobRow& job : result.jobs)
    {
        std::cout << "job " << job.job << ": " << job.iterations << " iterations"
                  << (job.stoppedEarly ? ", stopped early" : "") << "\n";
        good = good && job.stoppedEarly == (job.job != JobId{2}); // the second is the best
    }
    return good ? 0 : 1;
}
