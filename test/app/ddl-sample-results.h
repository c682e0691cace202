// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SAMPLE_RESULTS_H
#define DDL_SAMPLE_RESULTS_H

#include <cstdint>
#include <sstream>
#include <string>

namespace ns3::ddl
{

/**
 * \param sct mean SCT in seconds; every other metric follows from it
 * \param count of the values behind each metric
 * \return a summary.json as a run writes it
 */
inline std::string
MakeSummary(double sct, int count = 4)
{
    std::ostringstream json;
    const auto metric = [&json, count](const char* name, double mean) {
        json << "\"" << name << "\": {\"mean\": " << mean << ", \"p50\": " << mean / 2
             << ", \"p95\": " << mean * 2 << ", \"p99\": " << mean * 3 << ", \"count\": " << count
             << "}, ";
    };
    json << "{\"name\": \"sample\", \"status\": \"done\", \"seed\": 1, "
         << "\"scale\": {\"model\": 1.0, \"iterations\": 0.5}, \"metrics\": {";
    metric("sct_s", sct);
    metric("jct_s", 2 * sct);
    metric("cojct_s", 3 * sct);
    metric("stage_slowdown", 1 + sct);
    metric("job_slowdown", 2 + sct);
    json << "\"makespan_s\": " << 4 * sct << ", \"gpu_utilisation\": 0.5}}\n";
    return json.str();
}

/** \return a stages.csv with these slowdowns, as text that may be empty */
inline std::string
MakeStages(const std::string& first, const std::string& second)
{
    const std::string alone = first.empty() ? "" : "1";
    return "cojob_id,stage,jobs,release_s,start_s,end_s,sct_s,alone_s,slowdown,bytes\n"
           "0,1,2,0,0,2,2," +
           alone + "," + first + ",1000\n0,2,2,0,2,4,4," + alone + "," + second + ",1000\n";
}

/** \return a jobs.csv with one job of this slowdown */
inline std::string
MakeJobs(const std::string& slowdown)
{
    return "job_id,cojob_id,model,workers,servers,pattern,submit_s,start_s,end_s,jct_s,queue_s,"
           "comm_s,compute_s,iterations,stopped_early,alone_s,slowdown,bytes\n"
           "0,0,resnet50,2,1,ring,0,0,4,4,0,1,3,10,0," +
           std::string(slowdown.empty() ? "" : "1") + "," + slowdown + ",2000\n";
}

/** \return a ports.csv of one port with two queues */
inline std::string
MakePorts(uint64_t control, uint64_t data)
{
    return "node,port,peer,queue,packets,bytes,dropped,marked,max_backlog_bytes,utilisation\n"
           "h0,0,leaf0,0,1," +
           std::to_string(control) + ",0,0,0,0.1\nh0,0,leaf0,1,1," + std::to_string(data) +
           ",0,0,0,0.1\n";
}

/** \return a runs.csv of two jobs, one of which was suspended and went on elsewhere */
inline std::string
MakeRuns()
{
    return "job_id,run,start_s,end_s,reason,servers,gpus,iterations,switch_s,bytes,"
           "checkpoints,state_bytes,repeated,lost_s,train_start_s,train_end_s\n"
           "1,1,0,2,suspended,h0 h1,0:0 1:0,4,0,10,0,0,0,0,0,2\n"
           "2,1,2,3,done,h0,0:0,5,0,20,0,0,0,0,2,3\n"
           "1,2,2.5,4,done,h1 h2,1:0 2:1,6,0,30,0,0,0,0,2.5,4\n";
}

/** \return two intervals, of 1 s and of 0.5 s: two jobs, a queue that fills, four GPUs */
inline std::string
MakeSeries()
{
    return "time_s,kind,name,queue,quantity,value\n"
           "1.000000000,port,h0-0-switch0,2,bytes,1000\n"
           "1.000000000,port,h0-0-switch0,2,backlog_bytes,3000\n"
           "1.000000000,job,1,,bytes,250000000\n"
           "1.000000000,gpus,all,,busy,3\n"
           "1.000000000,gpus,all,,idle,1\n"
           "1.500000000,job,1,,bytes,125000000\n"
           "1.500000000,job,2,,bytes,62500000\n"
           "1.500000000,gpus,all,,waiting,4\n";
}

/** \return a timers.csv: those of jobs of two GPUs fall, those of four wait for a rack only */
inline std::string
MakeTimers()
{
    return "time_s,gpus,machine_timer_s,rack_timer_s\n"
           "0,2,43200,86400\n"
           "3600,2,7200,86400\n"
           "3600,4,0,1800\n"
           "7200,2,7200,3600\n";
}

} // namespace ns3::ddl

#endif // DDL_SAMPLE_RESULTS_H
