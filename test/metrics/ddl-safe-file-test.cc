// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-full-disk.h"
#include "ddl-scratch-folder.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-safe-file.h"

#include <iterator>

using namespace ns3::ddl;
namespace fs = std::filesystem;

using SafeFile = ScratchFolder;

TEST_F(SafeFile, ReplacesAFileAndLeavesNothingElse)
{
    WriteFileSafely(m_folder / "a.csv", "first");
    WriteFileSafely(m_folder / "a.csv", "second");
    EXPECT_EQ(Read("a.csv"), "second");
    EXPECT_EQ(std::distance(fs::directory_iterator(m_folder), {}), 1);
}

TEST_F(SafeFile, LeavesTheOldFileWhenThereIsNoRoom)
{
    WriteFileSafely(m_folder / "a.csv", "old");
    {
        const FullDisk full(1000);
        EXPECT_THROW(WriteFileSafely(m_folder / "a.csv", std::string(100000, 'x')), RunError);
    }
    EXPECT_EQ(Read("a.csv"), "old");
    EXPECT_EQ(std::distance(fs::directory_iterator(m_folder), {}), 1);
}

TEST_F(SafeFile, MakesFoldersAndSaysWhatIsInTheWay)
{
    PrepareFolder(m_folder / "x" / "y");
    EXPECT_TRUE(fs::is_directory(m_folder / "x" / "y"));
    WriteFileSafely(m_folder / "file", "");
    try
    {
        PrepareFolder(m_folder / "file" / "sub");
        FAIL() << "a file is no folder";
    }
    catch (const RunError& error)
    {
        EXPECT_NE(std::string(error.what()).find("--out=DIR"), std::string::npos);
    }
}
