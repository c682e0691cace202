// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_JSON_PARSER_H
#define DDL_JSON_PARSER_H

#include "ddl-json-text.h"

#include <cstddef>
#include <map>
#include <string>

namespace ns3::ddl
{

constexpr std::size_t MAX_JSON_DEPTH = 64; //!< most objects and lists inside each other

/** A JSON text and where its values stand. */
struct ParsedJson
{
    Json root;
    /**
     * Line of the values, by JSON pointer (RFC 6901). A value without a line of its own stands on
     * the line of the nearest value around it; the root's pointer is "".
     */
    std::map<std::string, std::size_t> lines;
};

/**
 * Reads JSON strictly: on top of the grammar (RFC 8259), a key twice in one object, a number beyond
 * 64 bits or beyond double, and nesting deeper than MAX_JSON_DEPTH are errors.
 *
 * \param text UTF-8
 * \param name of the text in messages
 * \param comments whether C and C++ comments may stand between tokens
 * \throws InputError with line and column
 */
ParsedJson ParseJson(const std::string& text, const std::string& name, bool comments);

} // namespace ns3::ddl

#endif // DDL_JSON_PARSER_H
