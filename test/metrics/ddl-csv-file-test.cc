// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-full-disk.h"
#include "ddl-scratch-folder.h"

#include "ns3/ddl-csv-file.h"
#include "ns3/ddl-error.h"

#include <iterator>
#include <optional>
#include <sys/wait.h>
#include <unistd.h>

using namespace ns3::ddl;
namespace fs = std::filesystem;

namespace
{

class CsvFileTest : public ScratchFolder
{
  protected:
    /** Rows of 100 bytes: "1,xx...x\n". */
    static void AddRows(CsvFile& file, uint32_t count)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            file.GetWriter().Cell(uint64_t{1}).Cell(std::string(97, 'x')).EndRow();
            file.NoteRow();
        }
    }
};

} // namespace

TEST_F(CsvFileTest, HasItsNameOnceItIsWhole)
{
    CsvFile file(m_folder / "a.csv", "n,text");
    AddRows(file, 2);
    EXPECT_FALSE(fs::exists(m_folder / "a.csv"));
    file.Finish();
    const std::string row = "1," + std::string(97, 'x') + "\n";
    EXPECT_EQ(Read("a.csv"), "n,text\n" + row + row);
    EXPECT_EQ(std::distance(fs::directory_iterator(m_folder), {}), 1);
}

TEST_F(CsvFileTest, KeepsAFixedAmountHoweverMuchIsWritten)
{
    CsvFile file(m_folder / "a.csv", "n,text");
    std::size_t most = 0;
    for (uint32_t i = 0; i < 10000; ++i) // 1 MB
    {
        AddRows(file, 1);
        most = std::max(most, file.GetWriter().GetSize());
    }
    EXPECT_LT(most, 65536U);
    EXPECT_GT(fs::file_size(m_folder / "a.csv.part"), 900000U);
}

TEST_F(CsvFileTest, AProcessThatIsKilledLeavesWholeRows)
{
    const pid_t child = fork();
    if (child == 0)
    {
        CsvFile file(m_folder / "a.csv", "n,text");
        AddRows(file, 1000);
        raise(SIGKILL);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    const std::string text = Read("a.csv.part");
    EXPECT_GE(text.size(), 65536U - 100);
    EXPECT_EQ((text.size() - 7) % 100, 0U); // the header "n,text\n" and rows of 100 bytes
}

TEST_F(CsvFileTest, AFullDiskIsSaidInFinishAndLeavesNothing)
{
    std::optional<FullDisk> full(100010); // in the midst of a row
    CsvFile file(m_folder / "a.csv", "n,text");
    AddRows(file, 600); // 60 kB are kept
    EXPECT_FALSE(file.HasFailed());
    AddRows(file, 2400);
    EXPECT_TRUE(file.HasFailed());
    EXPECT_EQ((fs::file_size(m_folder / "a.csv.part") - 7) % 100, 0U);
    std::string said;
    try
    {
        file.Finish();
    }
    catch (const RunError& error)
    {
        said = error.what();
    }
    full.reset();
    EXPECT_EQ(said, "cannot write \"" + (m_folder / "a.csv").string() + "\": File too large");
    EXPECT_TRUE(fs::is_empty(m_folder));
}

TEST_F(CsvFileTest, AFolderThatIsNotThereIsAnError)
{
    EXPECT_THROW(CsvFile(m_folder / "none" / "a.csv", "n"), RunError);
}
