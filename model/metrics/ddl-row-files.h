// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_ROW_FILES_H
#define DDL_ROW_FILES_H

#include "ddl-csv-file.h"
#include "ddl-run-result.h"

#include <memory>

namespace ns3::ddl
{

/**
 * The CSV files that are written row by row while a run goes on: stages, jobs, runs of jobs,
 * remarks, schedule, and, if asked for, iterations, coflows, waits for GPUs, estimates and timers.
 * See CsvFile for what is on disk at which time. When rows cannot be written, the simulator is
 * stopped.
 */
class RowFiles
{
  public:
    /** Files that a run has only if asked for. */
    struct Choice
    {
        bool iterations{false};
        bool coflows{false};
        bool waits{false};
        bool estimates{false};
        bool timers{false};
    };

    /** \param folder that exists \throws RunError when a file cannot be made */
    RowFiles(const std::filesystem::path& folder, Choice choice);

    void Add(const StageRow& row);
    void Add(const JobRow& row);
    void Add(const JobRunRecord& row);
    void Add(const RemarkRecord& row);
    void Add(const ScheduleRecord& row);
    void Add(const IterationRecord& row); //!< of coflows, too
    void Add(const WaitRecord& row);
    void Add(const EstimateRow& row);
    void Add(const TimersRecord& row);

    /** Complete all files. \throws RunError when one could not be written, after the others */
    void Finish();

    /** \return true if the run was stopped because rows could not be written; Finish says why */
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
    std::unique_ptr<CsvFile> m_iterations; //!< null: not wanted
    std::unique_ptr<CsvFile> m_coflows;    //!< null: not wanted
    std::unique_ptr<CsvFile> m_waits;      //!< null: not wanted
    std::unique_ptr<CsvFile> m_estimates;  //!< null: there are none
    std::unique_ptr<CsvFile> m_timers;     //!< null: not wanted
    uint64_t m_coflow{0};                  //!< number of the last one
};

} // namespace ns3::ddl

#endif // DDL_ROW_FILES_H
