// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_TEXT_FILE_H
#define DDL_TEXT_FILE_H

#include <cstddef>
#include <string>

namespace ns3::ddl
{

/** Largest input file, bytes; big data belongs into CSV traces. */
constexpr std::size_t MAX_JSON_BYTES = std::size_t{16} << 20;

/**
 * \param path path of a file that the user named
 * \param maxBytes greatest size of the file, bytes
 * \return content of the file
 * \throws InputError when it is missing (the nearest name in its folder is offered), a folder, not
 *         readable or too large
 */
std::string ReadTextFile(const std::string& path, std::size_t maxBytes = MAX_JSON_BYTES);

/**
 * \param text content of a file
 * \param name name of the file for messages
 * \throws InputError when the text is empty, begins with a byte order mark, has control characters
 *         (a binary file) or is not UTF-8 (RFC 3629)
 */
void CheckUtf8(const std::string& text, const std::string& name);

/** \return "name:line" of the byte at an offset; the first line is 1 */
std::string WhereInText(const std::string& text, std::size_t offset, const std::string& name);

/** \return column, in bytes, of the byte at an offset; the first column is 1 */
std::size_t ColumnInText(const std::string& text, std::size_t offset);

} // namespace ns3::ddl

#endif // DDL_TEXT_FILE_H
