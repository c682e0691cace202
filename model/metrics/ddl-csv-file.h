// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_CSV_FILE_H
#define DDL_CSV_FILE_H

#include "ddl-csv-writer.h"

#include <chrono>
#include <filesystem>

namespace ns3::ddl
{

/**
 * A CSV file that is written row by row during the simulation. Rows go to PATH.part, which Finish
 * renames to PATH. The file costs a fixed amount of memory, however many rows it gets.
 *
 * Invariant: the bytes given to the operating system end with a whole row, and are at most a second
 * or 64 kB behind. So a process that is killed leaves rows in PATH.part. Only the last row there
 * may be cut: Linux ends the write of a process that it kills between two pages.
 */
class CsvFile
{
  public:
    /**
     * \param path the file; an existing one is replaced in Finish
     * \param header column names, comma-separated
     * \throws RunError when PATH.part cannot be made
     */
    CsvFile(const std::filesystem::path& path, const std::string& header);
    ~CsvFile();
    CsvFile(const CsvFile&) = delete;
    CsvFile& operator=(const CsvFile&) = delete;

    /** \return the writer for the cells of the next row */
    CsvWriter& GetWriter()
    {
        return m_rows;
    }

    /** Called when a row has been ended. */
    void NoteRow();

    /** \return true once a row could not be written; later rows are not written either */
    bool HasFailed() const;

    /** Write the rest and give the file its name. No calls may follow.
     * \throws RunError with the first cause when a row could not be written; PATH.part is
     *         removed */
    void Finish();

  private:
    using Clock = std::chrono::steady_clock;

    void Write();

    std::filesystem::path m_path;
    CsvWriter m_rows; //!< rows that are not written yet
    Clock::time_point m_written;
    int m_file;        //!< descriptor; -1 when closed
    int64_t m_size{0}; //!< bytes of whole rows in the file
    int m_error{0};    //!< errno of the first failure, after which nothing is written; 0: none
};

} // namespace ns3::ddl

#endif // DDL_CSV_FILE_H
