// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_CSV_TABLE_H
#define DDL_CSV_TABLE_H

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace ns3::ddl
{

/**
 * A CSV file with a header line, held in memory and read by column name. Blank lines and `#`
 * comments are skipped, fields may be quoted (ns3::CsvReader does the splitting).
 */
class CsvTable
{
  public:
    /**
     * \param path path of the file
     * \throws InputError when it cannot be read, has no header, names a column twice, or has rows
     *         of another width than the header; all such rows at once, as `path:line: ...`
     */
    explicit CsvTable(const std::string& path);

    /** \return the number of rows below the header */
    std::size_t GetRows() const;
    /** \return true if the table has a column of that name */
    bool HasColumn(const std::string& column) const;
    /** \return names of the columns, in the order of the file */
    const std::vector<std::string>& GetColumns() const;
    /** \return place of a row: "path:line" */
    std::string Where(std::size_t row) const;
    /**
     * \return text of the field, "" where it is empty
     * \throws InputError when there is no such column
     */
    const std::string& GetText(std::size_t row, const std::string& column) const;
    /**
     * \return the field as a number, nothing where it is empty
     * \throws InputError when there is no such column, or the field is not a finite number
     */
    std::optional<double> GetNumber(std::size_t row, const std::string& column) const;
    /** \return all numbers of a column, empty fields left out; throws as GetNumber */
    std::vector<double> GetNumbers(const std::string& column) const;

  private:
    /** One row, and where it stands in the file. */
    struct Row
    {
        std::size_t line;
        std::vector<std::string> fields;
    };

    void ReadHeader(Row header);
    std::size_t FindColumn(const std::string& column) const;

    std::string m_path;
    std::vector<std::string> m_columns;
    std::vector<Row> m_rows;
};

/**
 * \param folder folder of a run's results
 * \param name name of a result table (ListTables())
 * \return the table; nothing if the run has not written it
 */
std::optional<CsvTable> OpenTable(const std::string& folder, const std::string& name);

} // namespace ns3::ddl

#endif // DDL_CSV_TABLE_H
