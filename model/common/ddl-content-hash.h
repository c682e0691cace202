// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_CONTENT_HASH_H
#define DDL_CONTENT_HASH_H

#include <string>

namespace ns3::ddl
{

/** \return 16 hexadecimal digits that tell a text from others: FNV-1a of 64 bits */
std::string HashText(const std::string& text);

/**
 * \param path of a file
 * \return HashText of its content; name and time of the file do not matter
 * \throws InputError when it cannot be read
 */
std::string HashFile(const std::string& path);

} // namespace ns3::ddl

#endif // DDL_CONTENT_HASH_H
