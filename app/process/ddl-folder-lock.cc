// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-folder-lock.h"

#include "ns3/ddl-error.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace ns3
{
namespace ddl
{

FolderLock::FolderLock(const std::filesystem::path& folder)
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

} // namespace ddl
} // namespace ns3
