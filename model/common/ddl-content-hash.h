// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_CONTENT_HASH_H
#define DDL_CONTENT_HASH_H

#include <string>

namespace ns3::ddl
{

/** \return the 64-bit FNV-1a hash of a text, as 16 hexadecimal digits */
std::string HashText(const std::string& text);

/**
 * \param path the path of a file
 * \return HashText of the file's content; its name and time do not matter
 * \throws InputError when the file cannot be read
 */
std::string HashFile(const std::string& path);

} // namespace ns3::ddl

#endif // DDL_CONTENT_HASH_H
