// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RESULT_TABLES_H
#define DDL_RESULT_TABLES_H

#include "ddl-csv-file.h"
#include "ddl-run-result.h"

#include "ns3/abort.h"
#include "ns3/ddl-ids.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace ns3::ddl
{

class ResultRows;
class TrainingCluster;

/** The type of a cell of a result table, by the type of the value that it shows. */
template <typename T>
struct CellType
{
    static constexpr const char* NAME = std::is_same_v<T, bool>       ? "boolean"
                                        : std::is_unsigned_v<T>       ? "integer"
                                        : std::is_same_v<T, Time>     ? "number"
                                        : std::is_same_v<T, double>   ? "number"
                                        : std::is_same_v<T, CsvCount> ? "number"
                                                                      : "string";

    static void Write(CsvWriter& csv, const T& value)
    {
        if constexpr (std::is_unsigned_v<T>)
        {
            csv.Cell(uint64_t{value});
        }
        else
        {
            csv.Cell(value);
        }
    }

    /** \return the value as a metric has it, times in seconds; nothing if it is no number */
    static std::optional<double> ToNumber(const T& value)
    {
        if constexpr (std::is_same_v<T, Time>)
        {
            return value.GetSeconds();
        }
        else if constexpr (std::is_arithmetic_v<T>)
        {
            return static_cast<double>(value);
        }
        return std::nullopt;
    }
};

template <typename Tag>
struct CellType<Id<Tag>>
{
    static constexpr const char* NAME = "integer";

    static void Write(CsvWriter& csv, Id<Tag> id)
    {
        csv.Cell(uint64_t{id.value});
    }

    static std::optional<double> ToNumber(Id<Tag>)
    {
        return std::nullopt;
    }
};

template <typename T>
struct CellType<std::optional<T>>
{
    static constexpr const char* NAME = CellType<T>::NAME;

    static void Write(CsvWriter& csv, const std::optional<T>& value)
    {
        value ? CellType<T>::Write(csv, *value) : static_cast<void>(csv.Empty());
    }

    static std::optional<double> ToNumber(const std::optional<T>& value)
    {
        return value ? CellType<T>::ToNumber(*value) : std::nullopt;
    }
};

/** A column of a result table. */
struct ResultColumn
{
    std::string name;    //!< name with its unit: "jct_s", "state_bytes"
    std::string type;    //!< "string", "integer", "number" or "boolean" (0 or 1)
    std::string meaning; //!< "job completion time: `end_s - submit_s`"; up to a colon, its title
    std::string empty;   //!< when its cells are empty, "for a plain job"; "": never

    std::string GetTitle() const; //!< \return what an axis is called: "job completion time"
    std::string GetUnit() const;  //!< \return unit that the name says: "s", "bytes"; "": none
};

/**
 * A CSV file of results: what writes, documents and reads it follows from this description.
 * ListTables() has all of them.
 */
struct ResultTable
{
    virtual ~ResultTable();

    std::string name;      //!< name of the table, and of its file without ".csv"
    std::string row;       //!< what a row is: "a job that has left"
    std::string key;       //!< key of a scenario by which it is written, or KEY=VALUE; "": always
    bool isStreamed{true}; //!< rows are written as they come
    bool isAlwaysKept{false}; //!< a RunResult has the rows even if they were written as they came
    std::vector<ResultColumn> columns;
    /** Connects the trace source whose events are the rows; null: RunRecorder adds them. */
    std::function<void(const TrainingCluster&, ResultRows&)> connect{};

    std::string GetFile() const;   //!< \return "jobs.csv"
    std::string GetHeader() const; //!< \return names of the columns, comma-separated
    bool IsChoice() const;         //!< \return whether the key is `output.NAME`, true or false
    /** \return whether the rows are in a result, and not written yet as they finally are */
    bool IsUnwritten(const RunResult& result) const;
    /** \return the rows that a result has as the text of a CSV file */
    virtual std::string Format(const RunResult& result) const = 0;
    /** \return number of rows that a result has; none if it keeps no such rows */
    virtual std::optional<std::size_t> CountRows(const RunResult& result) const = 0;
    /** \return the numbers of a column in the rows that a result keeps, without empty cells */
    virtual std::vector<double> ReadNumbers(const RunResult& result, std::size_t column) const = 0;
};

/** A result table with rows of one type, which no other table has. */
template <typename Row>
class Table final : public ResultTable
{
  public:
    using Place = std::vector<Row> RunResult::*;

    /** \param kept member of RunResult that keeps the rows when there are no files; null: none */
    Table(const std::string& tableName, const std::string& rowMeaning, Place kept = nullptr)
        : m_kept(kept)
    {
        name = tableName;
        row = rowMeaning;
    }

    /** \return the one of ListTables() with these rows */
    static const Table& Find();

    /** The table is written if `output.NAME` is true. */
    Table& Choice()
    {
        return When("output." + name);
    }

    /** \param path path of the key by which the table is written */
    Table& When(const std::string& path)
    {
        key = path;
        return *this;
    }

    /** ResultRows does not write the rows; whoever has them does, at the end or as they come. */
    Table& AtEnd()
    {
        isStreamed = false;
        return *this;
    }

    /** The rows are events of a trace source. \param trace connects it to ResultRows::Add */
    Table& From(std::function<void(const TrainingCluster&, ResultRows&)> trace)
    {
        connect = std::move(trace);
        return *this;
    }

    /** A RunResult has the rows in any case. */
    Table& KeepAlways()
    {
        isAlwaysKept = true;
        return *this;
    }

    /**
     * Add a column.
     *
     * \param meaning as ResultColumn::meaning
     * \param get member of a row, or function of it, that gives the cell's value
     */
    template <typename Get>
    Table& Add(const std::string& column, const std::string& meaning, Get get)
    {
        return Add(column, meaning, get, "");
    }

    /** Add a column with cells that may be empty. \param empty as ResultColumn::empty */
    template <typename Get>
    Table& Add(const std::string& column, const std::string& meaning, Get get, const char* empty)
    {
        using Type = CellType<std::decay_t<std::invoke_result_t<Get, const Row&>>>;
        columns.push_back({column, Type::NAME, meaning, empty});
        m_cells.push_back(
            [get](CsvWriter& csv, const Row& row) { Type::Write(csv, std::invoke(get, row)); });
        m_numbers.push_back(
            [get](const Row& row) { return Type::ToNumber(std::invoke(get, row)); });
        return *this;
    }

    void Write(CsvWriter& csv, const Row& each) const
    {
        for (const auto& cell : m_cells)
        {
            cell(csv, each);
        }
        csv.EndRow();
    }

    /** \return the text of a CSV file */
    std::string Format(const std::vector<Row>& rows) const
    {
        CsvWriter csv(GetHeader());
        for (const Row& each : rows)
        {
            Write(csv, each);
        }
        return csv.GetText();
    }

    /** Put a row into a result, if the result keeps such rows. */
    void Keep(const Row& each, RunResult& result) const
    {
        if (m_kept)
        {
            (result.*m_kept).push_back(each);
        }
    }

    std::string Format(const RunResult& result) const override
    {
        return Format(m_kept ? result.*m_kept : std::vector<Row>());
    }

    std::optional<std::size_t> CountRows(const RunResult& result) const override
    {
        return m_kept ? std::make_optional((result.*m_kept).size()) : std::nullopt;
    }

    std::vector<double> ReadNumbers(const RunResult& result, std::size_t column) const override
    {
        NS_ABORT_MSG_UNLESS(m_kept, "a result keeps no rows of " << name);
        std::vector<double> numbers;
        for (const Row& each : result.*m_kept)
        {
            if (const auto number = m_numbers.at(column)(each))
            {
                numbers.push_back(*number);
            }
        }
        return numbers;
    }

  private:
    Place m_kept;
    std::vector<std::function<void(CsvWriter&, const Row&)>> m_cells;
    std::vector<std::function<std::optional<double>(const Row&)>> m_numbers; //!< as m_cells
};

/** \return all result tables, in the order of the documentation */
const std::vector<std::unique_ptr<const ResultTable>>& ListTables();

/** \throws InputError when no table has that name */
const ResultTable& FindTable(const std::string& name);

template <typename Row>
const Table<Row>&
Table<Row>::Find()
{
    static const Table* const found = [] {
        const Table* match = nullptr;
        for (const auto& table : ListTables())
        {
            const auto* const same = dynamic_cast<const Table*>(table.get());
            match = same ? same : match;
        }
        NS_ABORT_MSG_UNLESS(match, "no result table has rows of this type");
        return match;
    }();
    return *found;
}

/**
 * Takes the rows of a simulation as they come: writes them to files, or keeps them in a RunResult.
 * See CsvFile for what is on disk at which time. When rows cannot be written, the simulator is
 * stopped.
 */
class ResultRows
{
  public:
    /**
     * \param wanted names of the tables that are wanted besides those that always are
     * \param kept result for the rows that are kept; it must outlive this object
     * \throws InputError when a name is that of no table
     */
    ResultRows(const std::set<std::string>& wanted, RunResult& kept);

    /** Write rows to files from now on. \param folder an existing folder \throws RunError when a
     * file cannot be made */
    void EnableFiles(const std::filesystem::path& folder);

    /** Connect the trace sources of the tables that are wanted. It must outlive the simulation. */
    void Connect(const TrainingCluster& cluster);

    template <typename Row>
    bool IsWanted() const
    {
        return Get(Table<Row>::Find()).isWanted;
    }

    /** Take a row; rows of tables that are not wanted are ignored. */
    template <typename Row>
    void Add(const Row& row)
    {
        const Table<Row>& table = Table<Row>::Find();
        const Place& place = Get(table);
        if (place.isWanted && place.file)
        {
            table.Write(place.file->GetWriter(), row);
            NoteRow(*place.file);
        }
        if (place.isWanted && (!place.file || table.isAlwaysKept))
        {
            table.Keep(row, m_kept);
        }
    }

    /** Complete all files. \throws RunError when one could not be written, after the others */
    void Finish();

    /** \return true if the simulation was stopped as rows could not be written; Finish says why */
    bool HasFailed() const;

  private:
    /** A table, and where its rows go. */
    struct Place
    {
        const ResultTable* table;
        bool isWanted{false};
        std::unique_ptr<CsvFile> file{}; //!< null: rows are kept
    };

    const Place& Get(const ResultTable& table) const;
    void NoteRow(CsvFile& file);

    RunResult& m_kept;
    std::vector<Place> m_places; //!< in the order of ListTables()
    bool m_hasFailed{false};
};

} // namespace ns3::ddl

#endif // DDL_RESULT_TABLES_H
