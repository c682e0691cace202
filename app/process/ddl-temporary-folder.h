// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_TEMPORARY_FOLDER_H
#define DDL_TEMPORARY_FOLDER_H

#include <filesystem>

namespace ns3
{
namespace ddl
{

/** A folder for things that nobody needs later. It is gone with all that is in it when this is. */
class TemporaryFolder
{
  public:
    /** \throws RunError when the system has no room for it */
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& GetPath() const;

  private:
    std::filesystem::path m_path;
};

} // namespace ddl
} // namespace ns3

#endif // DDL_TEMPORARY_FOLDER_H
