// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_TEXT_FILE_H
#define DDL_TEXT_FILE_H

#include <cstddef>
#include <string>

namespace ns3::ddl
{

/** Input files above this many bytes are refused; big data belongs into CSV traces. */
constexpr std::size_t MAX_JSON_BYTES = std::size_t{16} << 20;

/**
 * \param path a file that the user named
 * \param maxBytes the most that is read
 * \return all of its bytes
 * \throws InputError when it is missing (the nearest name in its folder is offered), a folder, not
 *         readable or too large
 */
std::string ReadTextFile(const std::string& path, std::size_t maxBytes = MAX_JSON_BYTES);

/**
 * \param text content of a file
 * \param name its name for messages
 * \throws InputError when it is empty, begins with a byte order mark, has control characters
 *         (a binary file) or is not UTF-8 (RFC 3629)
 */
void CheckUtf8(const std::string& text, const std::string& name);

/** \return "name:line" of the byte at that offset, the first line being 1 */
std::string WhereInText(const std::string& text, std::size_t offset, const std::string& name);

/** \return column of the byte at that offset in bytes, the first being 1 */
std::size_t ColumnInText(const std::string& text, std::size_t offset);

} // namespace ns3::ddl

#endif // DDL_TEXT_FILE_H
