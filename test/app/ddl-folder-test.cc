// SPDX-License-Identifier: GPL-2.0-only
#include "app/process/ddl-folder.h"
#include "ddl-scratch-folder.h"

#include "ns3/ddl-error.h"

#include <optional>
#include <sys/wait.h>
#include <unistd.h>

using namespace ns3;
using namespace ns3::ddl;

using FolderLockTest = ScratchFolder;

TEST_F(FolderLockTest, OneAtATime)
{
    std::optional<FolderLock> first(m_folder);
    try
    {
        const FolderLock second(m_folder);
        FAIL() << "two hold the folder";
    }
    catch (const RunError& error)
    {
        EXPECT_EQ(std::string(error.what()),
                  "another run is writing to the folder \"" + m_folder.string() +
                      "\"; give this one another with --out=DIR");
    }
    first.reset();
    EXPECT_NO_THROW(FolderLock{m_folder});
    EXPECT_TRUE(std::filesystem::is_empty(m_folder));
}

TEST_F(FolderLockTest, FoldersDoNotDependOnOneAnother)
{
    std::filesystem::create_directory(m_folder / "inner");
    const FolderLock outer(m_folder);
    EXPECT_NO_THROW(FolderLock{m_folder / "inner"});
}

TEST_F(FolderLockTest, EndsWithTheProcess)
{
    const pid_t child = fork();
    if (child == 0)
    {
        const FolderLock held(m_folder);
        _exit(0); // without its destructor
    }
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    EXPECT_NO_THROW(FolderLock{m_folder});
}

TEST_F(FolderLockTest, AFolderThatCannotBeOpenedIsNotHeld)
{
    EXPECT_NO_THROW(FolderLock{m_folder / "nowhere"});
}
