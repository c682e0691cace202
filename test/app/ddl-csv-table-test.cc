// SPDX-License-Identifier: GPL-2.0-only
#include "app/results/ddl-csv-table.h"

#include "ns3/ddl-csv-writer.h"
#include "ns3/ddl-error.h"

#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace ns3::ddl
{
namespace
{

/** A file that is there for the length of a test. */
class CsvTableTest : public ::testing::Test
{
  protected:
    void TearDown() override
    {
        std::remove(m_path.c_str());
    }

    CsvTable Read(const std::string& text)
    {
        std::ofstream(m_path) << text;
        return CsvTable(m_path);
    }

    /** \return what reading \p text complains about, less the path; "" for nothing */
    std::string Complaint(const std::string& text)
    {
        try
        {
            const CsvTable table = Read(text);
            table.GetNumbers("a");
            return "";
        }
        catch (const InputError& error)
        {
            std::string what = error.what();
            for (auto at = what.find(m_path); at != std::string::npos; at = what.find(m_path))
            {
                what.replace(at, m_path.size(), "F");
            }
            return what;
        }
    }

    std::string m_path{::testing::TempDir() + "ddl-csv-table-" + std::to_string(getpid()) + ".csv"};
};

TEST_F(CsvTableTest, ReadsByColumnName)
{
    const CsvTable table = Read("a,b_s,c\n1,2.5,x\n3,-4e-3,y\n");
    EXPECT_EQ(table.GetRows(), 2U);
    EXPECT_EQ(table.GetColumns(), (std::vector<std::string>{"a", "b_s", "c"}));
    EXPECT_EQ(table.GetNumbers("b_s"), (std::vector<double>{2.5, -0.004}));
    EXPECT_EQ(table.GetText(1, "c"), "y");
    EXPECT_TRUE(table.HasColumn("c"));
    EXPECT_FALSE(table.HasColumn("d"));
}

TEST_F(CsvTableTest, EmptyFieldsAreNoNumbersAlsoAtTheEndOfALine)
{
    const CsvTable table = Read("a,b,c\n1,,\n,,3\n");
    EXPECT_EQ(table.GetRows(), 2U);
    EXPECT_FALSE(table.GetNumber(0, "b"));
    EXPECT_FALSE(table.GetNumber(0, "c"));
    EXPECT_FALSE(table.GetNumber(1, "a"));
    EXPECT_EQ(table.GetNumbers("c"), std::vector<double>{3});
}

TEST_F(CsvTableTest, ReadsWhatCsvWriterWrites)
{
    for (const std::string text : {"plain", "[\"a\",1]", "say \"so\"", "two words", ""})
    {
        CsvWriter writer("a,b");
        writer.Cell(text).Cell(1.0 / 3).EndRow();
        const CsvTable table = Read(writer.GetText());
        EXPECT_EQ(table.GetText(0, "a"), text);
        EXPECT_NEAR(*table.GetNumber(0, "b"), 1.0 / 3, 1e-9) << text;
    }
}

TEST_F(CsvTableTest, ReadsForeignLineEndsBlankLinesAndComments)
{
    const CsvTable table = Read("# made by hand\r\n\r\na,b\r\n1,\"x\"\r\n\r\n  \n2,y");
    ASSERT_EQ(table.GetRows(), 2U);
    EXPECT_EQ(table.GetText(0, "b"), "x");
    EXPECT_EQ(table.GetText(1, "b"), "y") << "a last line without an end is a line";
}

TEST_F(CsvTableTest, HeaderAloneIsATableWithoutRows)
{
    EXPECT_EQ(Read("a,b\n").GetRows(), 0U);
    EXPECT_TRUE(Read("a,b\n").GetNumbers("a").empty());
}

TEST_F(CsvTableTest, ErrorsNameTheLine)
{
    EXPECT_EQ(Complaint("a,b\n1,2\n1\n\n1,2,3\n"),
              "F:3: 1 fields (the header has 2)\nF:5: 3 fields (the header has 2)");
    EXPECT_EQ(Complaint("a,b\n1,2\nten,2\n"), "F:3: \"ten\" in column \"a\" is not a number");
    EXPECT_EQ(Complaint("a,b\n12s,2\n"), "F:2: \"12s\" in column \"a\" is not a number");
    EXPECT_EQ(Complaint("a,b\nnan,2\n"), "F:2: \"nan\" in column \"a\" is not a number");
    EXPECT_EQ(Complaint("b,c\n1,2\n"), "F: has no column \"a\" (it has b, c)");
    EXPECT_EQ(Complaint("a,b,a\n"), "F:1: column \"a\" stands there twice");
    EXPECT_EQ(Complaint(""), "F: is empty (it should begin with a line of column names)");
}

TEST_F(CsvTableTest, MissingFilesAndFoldersCannotBeRead)
{
    EXPECT_THROW(CsvTable(m_path + ".none"), InputError);
    EXPECT_THROW(CsvTable(::testing::TempDir()), InputError);
}

} // namespace
} // namespace ns3::ddl
