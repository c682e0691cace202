// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FOLDER_LOCK_H
#define DDL_FOLDER_LOCK_H

#include <filesystem>

namespace ns3
{
namespace ddl
{

/**
 * Keeps a folder of results for one run: two that write to it at the same time would mix their
 * files. Leaves no file behind and ends with the process, however that ends. Where the file system
 * has no locks, it does nothing.
 */
class FolderLock
{
  public:
    /**
     * \param folder that exists
     * \throws RunError when another run holds it
     */
    explicit FolderLock(const std::filesystem::path& folder);
    ~FolderLock();
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

  private:
    int m_folder; //!< file descriptor, -1 if the folder cannot be opened
};

} // namespace ddl
} // namespace ns3

#endif // DDL_FOLDER_LOCK_H
