// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SAFE_FILE_H
#define DDL_SAFE_FILE_H

#include <filesystem>
#include <string>

namespace ns3::ddl
{

/**
 * Make a folder, and those above it, and prove that it can be written to.
 *
 * \param folder where results will go
 * \throws RunError with the reason why the folder cannot be made or written to
 */
void PrepareFolder(const std::filesystem::path& folder);

/**
 * Write a file whole or not at all: to a temporary file beside it first, which is then renamed.
 *
 * \param path the file; an existing one is replaced
 * \param text its contents
 * \throws RunError when the disk is full or the folder cannot be written to; the temporary file is
 *         removed and an existing file is left as it was
 */
void WriteFileSafely(const std::filesystem::path& path, const std::string& text);

} // namespace ns3::ddl

#endif // DDL_SAFE_FILE_H
