// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FOLDER_H
#define DDL_FOLDER_H

#include <filesystem>

namespace ns3::ddl
{

/**
 * Reserves a folder of results for one run while it lives: two runs that write to the same folder
 * would mix their files. The lock leaves no file behind and ends with the process, however that
 * ends. On a file system without locks it does nothing.
 */
class FolderLock
{
  public:
    /**
     * \param folder a folder that exists
     * \throws RunError when another run holds the lock
     */
    explicit FolderLock(const std::filesystem::path& folder);
    ~FolderLock();
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

  private:
    int m_folder; //!< file descriptor of the folder, -1 if it cannot be opened
};

/** A scratch folder: it is removed with its contents when this object is destroyed. */
class TemporaryFolder
{
  public:
    /** Make a new temporary folder. \throws RunError when the system cannot make one */
    TemporaryFolder();
    /** \param path path of the folder; removed if it exists, and made by the caller */
    explicit TemporaryFolder(const std::filesystem::path& path);
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& GetPath() const
    {
        return m_path;
    }

  private:
    std::filesystem::path m_path;
};

} // namespace ns3::ddl

#endif // DDL_FOLDER_H
