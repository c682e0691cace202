// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_JSON_DOCUMENT_H
#define DDL_JSON_DOCUMENT_H

#include "ddl-json-parser.h"

#include "ns3/ddl-error.h"

#include <set>
#include <string>
#include <vector>

namespace ns3
{
namespace ddl
{

/**
 * A JSON file (comments allowed) with the line of every value, so that whoever reads it can say
 * where something is wrong; and the changes that a user makes to it from the command line.
 *
 * Values are addressed by JSON pointer (RFC 6901): "" the root, "/cojobs/0/name" a value in it.
 * Copies are independent.
 */
class JsonDocument
{
  public:
    /** \throws InputError when the file cannot be read or is not JSON (see ParseJson) */
    static JsonDocument ParseFile(const std::string& path);
    /**
     * \param text UTF-8, at most MAX_JSON_BYTES
     * \param name of the text in messages
     */
    static JsonDocument ParseText(const std::string& text, const std::string& name);

    const Json& GetRoot() const;
    /** \return "file:line", or "--set" for what Override() wrote; of its parent if not there */
    std::string Where(const std::string& pointer) const;

    /**
     * Sets one value, `--set=PATH=VALUE`. Missing keys on the way are created. A string on the way
     * becomes an object that names it, so that a policy or preset given by name alone can be
     * changed in part: with "placement": "lwf", the path `placement.Kappa` and the value 2 make
     * {"type": "lwf", "Kappa": 2}.
     *
     * \param path keys and indices of lists, "scheduler.placement.Kappa" or "cojobs.0.stages"
     * \param valueText JSON, or else a plain string
     * \param diagnostics where complaints are added (where is "--set"); the document then stays as
     *        it was
     * \param presets pointers of values that a string sets to a preset: there the string's key in
     *        the object is "preset", everywhere else "type"
     */
    void Override(const std::string& path,
                  const std::string& valueText,
                  std::vector<Diagnostic>& diagnostics,
                  const std::set<std::string>& presets = {"/cluster"});

    /**
     * Puts a preset under what the user gave: keys that are missing at \p pointer are taken from
     * \p preset, in objects inside as well. A string there (the preset's name) is replaced by the
     * whole of it. An object whose "kind" or "type" differs from the preset's is left alone: the
     * preset's keys would mean nothing in it.
     *
     * \param pointer of a string or an object
     * \param preset an object; its values stand on the line of the value that they are put under
     */
    void FillIn(const std::string& pointer, const Json& preset);

  private:
    explicit JsonDocument(std::string name);

    std::string m_name;
    ParsedJson m_json;
};

} // namespace ddl
} // namespace ns3

#endif // DDL_JSON_DOCUMENT_H
