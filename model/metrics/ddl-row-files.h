// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_ROW_FILES_H
#define DDL_ROW_FILES_H

#include "ddl-csv-file.h"
#include "ddl-run-result.h"

#include <memory>

namespace ns3::ddl
{

/**
 * The CSV files that are written row by row during the simulation: stages, jobs, runs of jobs,
 * remarks, schedule, and, if asked for, iterations, coflows, waits for GPUs, estimates and timers.
 * See CsvFile for what is on disk at which time. When rows cannot be written, the simulator is
 * stopped.
 */
class RowFiles
{
  public:
    /** The files that are written only if asked for. */
    struct Choice
    {
        bool iterations{false};
        bool coflows{false};
        bool waits{false};
        bool estimates{false};
        bool timers{false};
    };

    /** \param folder an existing folder \param choice optional files \throws RunError when a file
     * cannot be made */
    RowFiles(const std::filesystem::path& folder, Choice choice);

    void Add(const StageRow& row);
    void Add(const JobRow& row);
    void Add(const JobRunRecord& row);
    void Add(const RemarkRecord& row);
    void Add(const ScheduleRecord& row);
    void Add(const IterationRecord& row); //!< Add an iteration, and its coflow.
    void Add(const WaitRecord& row);
    void Add(const EstimateRow& row);
    void Add(const TimersRecord& row);

    /** Complete all files. \throws RunError when one could not be written, after the others */
    void Finish();

    /** \return true if the simulation was stopped as rows could not be written; Finish says why */
    bool HasFailed() const;

  private:
    void NoteRow(CsvFile& file);
    template <typename Row>
    void AddTo(CsvFile& file, const Row& row);

    bool m_hasFailed{false};
    CsvFile m_stages;
    CsvFile m_jobs;
    CsvFile m_runs;
    CsvFile m_remarks;
    CsvFile m_schedule;
    std::unique_ptr<CsvFile> m_iterations; //!< iterations.csv; null: not wanted
    std::unique_ptr<CsvFile> m_coflows;    //!< coflows.csv; null: not wanted
    std::unique_ptr<CsvFile> m_waits;      //!< waits.csv; null: not wanted
    std::unique_ptr<CsvFile> m_estimates;  //!< estimates.csv; null: there are no estimates
    std::unique_ptr<CsvFile> m_timers;     //!< timers.csv; null: not wanted
    uint64_t m_coflow{0};                  //!< number of the last coflow
};

} // namespace ns3::ddl

#endif // DDL_ROW_FILES_H
