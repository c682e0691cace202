// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RESULT_TABLES_H
#define DDL_RESULT_TABLES_H

#include "ddl-csv-writer.h"
#include "ddl-run-result.h"

#include <string>

namespace ns3::ddl
{

constexpr const char* STAGES_HEADER =
    "cojob_id,stage,jobs,release_s,start_s,end_s,sct_s,alone_s,slowdown,bytes";
constexpr const char* JOBS_HEADER =
    "job_id,cojob_id,model,workers,servers,pattern,submit_s,start_s,end_s,jct_s,queue_s,comm_s,"
    "compute_s,iterations,stopped_early,alone_s,slowdown,bytes,accuracy,loss,tta90_s,gate_wait_s,"
    "runs,waited_s,occupied_s,weight";
constexpr const char* RUNS_HEADER =
    "job_id,run,start_s,end_s,reason,servers,gpus,iterations,switch_s,bytes,"
    "checkpoints,state_bytes,repeated,lost_s,train_start_s,train_end_s";
constexpr const char* ITERATIONS_HEADER = "job_id,iteration,start_s,compute_end_s,end_s,bytes";
constexpr const char* COFLOWS_HEADER =
    "coflow_id,job_id,iteration,phase,start_s,end_s,cct_s,bytes,flows";
constexpr const char* WAITS_HEADER = "time_s,cojob_id,job_id,gpus,free_gpus,reason,until_s";
constexpr const char* TIMERS_HEADER = "time_s,gpus,machine_timer_s,rack_timer_s";
constexpr const char* ESTIMATES_HEADER = "job_id,label,predicted,actual,seed";
constexpr const char* REMARKS_HEADER = "time_s,host,stream_id,job_id,stage,host_band,dscp";
constexpr const char* SCHEDULE_HEADER = "time_s,units,order,sct_over_bound,messages,control_bytes";

/** Write one row, with the columns of the record's header above. A cell of a value that was not
 * measured is empty. */
void AddRow(CsvWriter& csv, const StageRow& row);
void AddRow(CsvWriter& csv, const JobRow& row);
void AddRow(CsvWriter& csv, const JobRunRecord& row);
void AddRow(CsvWriter& csv, const IterationRecord& row);
void AddRow(CsvWriter& csv, const WaitRecord& row);
void AddRow(CsvWriter& csv, const EstimateRow& row);
void AddRow(CsvWriter& csv, const TimersRecord& row);
void AddRow(CsvWriter& csv, const RemarkRecord& row);
void AddRow(CsvWriter& csv, const ScheduleRecord& row);
/** Write a row of coflows.csv. \param number the coflow's number, from 1 \param row an iteration
 * for which IsCoflow holds */
void AddCoflow(CsvWriter& csv, uint64_t number, const IterationRecord& row);

/** \return whether an iteration moves bytes; that of a single worker moves none */
bool IsCoflow(const IterationRecord& row);

/** \return a CSV file as text: a header line with units in the names, then the rows */
std::string FormatStages(const RunResult& result);
std::string FormatJobs(const RunResult& result);
std::string FormatRuns(const RunResult& result);
std::string FormatIterations(const RunResult& result);
std::string FormatCoflows(const RunResult& result);
std::string FormatWaits(const RunResult& result);
std::string FormatEstimates(const RunResult& result);
std::string FormatTimers(const RunResult& result);
std::string FormatPorts(const RunResult& result);
std::string FormatRemarks(const RunResult& result);
std::string FormatSchedule(const RunResult& result);

} // namespace ns3::ddl

#endif // DDL_RESULT_TABLES_H
