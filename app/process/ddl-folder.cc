// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-folder.h"

#include "ns3/ddl-error.h"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace ns3::ddl
{

FolderLock::FolderLock(const fs::path& folder)
    : m_folder(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC))
{
    if (m_folder >= 0 && flock(m_folder, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    {
        close(m_folder);
        throw RunError("another run is writing to the folder \"" + folder.string() +
                       "\"; give this one another with --out=DIR");
    }
}

FolderLock::~FolderLock()
{
    if (m_folder >= 0)
    {
        close(m_folder);
    }
}

TemporaryFolder::TemporaryFolder()
{
    std::string pattern = (fs::temp_directory_path() / "ddl-XXXXXX").string();
    if (!mkdtemp(pattern.data()))
    {
        throw RunError("cannot make a folder in " + fs::temp_directory_path().string());
    }
    m_path = pattern;
}

TemporaryFolder::TemporaryFolder(const fs::path& path)
    : m_path(path)
{
    std::error_code ignored;
    fs::remove_all(m_path, ignored);
}

TemporaryFolder::~TemporaryFolder()
{
    std::error_code ignored;
    fs::remove_all(m_path, ignored);
}

} // namespace ns3::ddl
