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

/** \return PATH.part: the file is written under this name until it is whole */
std::filesystem::path GetPartPath(const std::filesystem::path& path);

/** \return why the last system call failed, by errno */
std::string GetSystemCause();

/**
 * Give a file that was written as GetPartPath(path) its name, or remove it if writing failed.
 *
 * \param path the file; an existing one is replaced
 * \param cause why writing failed; "" if it did not
 * \throws RunError with the cause when writing failed, or the file cannot be renamed
 */
void CompleteFile(const std::filesystem::path& path, const std::string& cause = "");

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
