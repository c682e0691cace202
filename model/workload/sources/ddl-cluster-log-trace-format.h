// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_CLUSTER_LOG_TRACE_FORMAT_H
#define DDL_CLUSTER_LOG_TRACE_FORMAT_H

#include "ddl-log-time.h"
#include "ddl-trace-columns.h"
#include "ddl-trace-format.h"

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** One job of a cluster's log, as its rows say. Times are seconds of the log's clock. */
struct LogJob
{
    uint64_t line{0}; //!< number of its line, or the first one
    std::optional<double> submit;
    std::optional<double> start;
    std::optional<double> end;
    std::optional<double> duration; //!< column of its own, which may differ from end - start
    uint64_t gpus{0};               //!< whole GPUs (AddGpus)
    bool isPart{false};             //!< whether a GPU of these was asked for in part only
    bool isOther{false};            //!< whether the attribute `Only` excludes it
    bool isWrongState{false};       //!< whether the attribute `States` excludes it
    uint32_t servers{NOT_GIVEN};    //!< parameter servers
    std::string model;              //!< text of the model's column

    /** Add instances that ask for so many GPUs each; a part of a GPU is rounded up. */
    void AddGpus(double gpus, uint64_t instances = 1);
};

/** Names of the columns of a log; "" where it has no such column. */
struct LogColumns
{
    std::vector<std::string> required; //!< without which nothing can be read
    std::string submit;
    std::string start;
    std::string end;
    std::string duration;
    std::string state;
    std::string model; //!< the one that is used if it is there
    bool isCut{false}; //!< whether jobs that still ran have the end of the log as theirs
};

class LogJobs;

/**
 * Base of the formats of logs of real clusters, which have faults: jobs without a GPU or without an
 * end, parts of a GPU, missing times. A log is read by names of columns. A job that cannot be
 * replayed is left out; Trace::notes say how many and why. A field that is no number or time where
 * there has to be one is an error, by line.
 *
 * A job's number is that of its line. Time 0 is the first arrival that is kept.
 */
class ClusterLogTraceFormat : public TraceFormat
{
  public:
    static TypeId GetTypeId();

  protected:
    /** Which of the two durations of a log counts. */
    enum Span
    {
        FROM_TIMES, //!< end - start
        FROM_COLUMN //!< the column `duration`
    };

    /** What becomes of jobs that ask for a part of a GPU. */
    enum Fraction
    {
        ROUND_UP, //!< each part is one GPU
        DROP      //!< the job is left out
    };

    /** \return names of the columns */
    virtual LogColumns GetColumns() const = 0;
    /** Read the number of GPUs of a row. */
    virtual void ReadGpus(const TraceRow& row, LogJob& job) const = 0;
    /** Reads a job a row. */
    void DoRead(TraceLines& lines, Trace& trace) const override;

    friend class LogJobs;

  private:
    static TypeId AddFilters(TypeId tid);
    static TypeId AddMeanings(TypeId tid);

    std::string m_from;
    std::string m_to;
    std::string m_states;
    std::string m_only;
    std::string m_modelColumn;
    std::string m_models;
    Fraction m_fraction{ROUND_UP};
    Span m_span{FROM_TIMES};
    uint32_t m_mostGpus{0};
};

/** Turns jobs of a log into jobs of a trace, by the attributes of a format; counts what it leaves
 * out and what it changes. */
class LogJobs
{
  public:
    /**
     * Reports attributes that do not fit the log as errors of its first line.
     *
     * \param rules the format with its attributes
     * \param columns columns of the log
     * \param lines the log, for errors
     * \param trace gets the jobs
     */
    LogJobs(const ClusterLogTraceFormat& rules,
            const TraceColumns& columns,
            TraceLines& lines,
            Trace& trace);

    /** \return the number in a field; none if it is missing; an error if it is anything else */
    static std::optional<double> ReadNumber(const TraceRow& row, const std::string& column);
    /** \return the number in a field, 0 if it is missing; an error if it is anything else, or below
     * 0 */
    static double ReadCount(const TraceRow& row, const std::string& column);
    /** \return the time in a field; none if it is missing; an error if it is anything else, or a
     * date where the times before are seconds */
    std::optional<double> ReadTime(const TraceRow& row, const std::string& column);
    /** Set what all logs have in common: line, exclusion by `Only` and `States`, model. */
    void ReadCommon(const TraceRow& row, LogJob& job) const;

    /** Take a job into the trace, or leave it out and count it. */
    void Take(const LogJob& job);
    /**
     * Count a fault.
     *
     * \param what what becomes of the job, and why: "left out: no GPU"
     * \param line its line
     */
    void Note(const std::string& what, uint64_t line);
    /** Move time 0 to the first arrival and write Trace::notes. */
    void Finish();

  private:
    /** Jobs of one kind: their number and the line of the first. */
    struct Tally
    {
        uint64_t count{0};
        uint64_t line{0};
    };

    /** \return the time a job runs; none if it is left out, which has been noted */
    std::optional<double> FindDuration(const LogJob& job);
    /** Count jobs by their end. */
    void WatchEnd(const LogJob& job);
    /** \return why a job is left out, its duration apart; null if it is not */
    const char* FindReason(const LogJob& job) const;
    void ReadWindow(const std::string& text, const char* name, std::optional<double>& member);
    uint32_t FindModel(const std::string& text);
    void ReadModels(const std::string& text);
    void ReadOnly(const std::string& text);

    const ClusterLogTraceFormat& m_rules;
    const TraceColumns& m_columns;
    std::string m_state;
    std::string m_modelColumn;
    TraceLines& m_lines;
    Trace& m_trace;
    std::set<std::string> m_states;                      //!< in small letters; empty: all
    std::map<std::string, std::set<std::string>> m_only; //!< texts that are kept, by column
    std::map<std::string, std::string> m_names;          //!< models by text of the column
    std::map<std::string, uint32_t> m_models;            //!< index of each text's model
    std::optional<double> m_from;
    std::optional<double> m_to;
    std::optional<bool> m_isDated;                      //!< whether times are dates
    double m_lastEnd{0};                                //!< latest end of a job that is kept
    Tally m_lastEnders;                                 //!< jobs that end then
    std::vector<std::pair<std::string, Tally>> m_notes; //!< in the order of the first of each
};

} // namespace ns3::ddl

#endif // DDL_CLUSTER_LOG_TRACE_FORMAT_H
