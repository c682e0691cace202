// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_JSON_DOCUMENT_H
#define DDL_JSON_DOCUMENT_H

#include "ddl-json-text.h"

#include "ns3/ddl-error.h"

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3::ddl
{

constexpr std::size_t MAX_JSON_DEPTH = 64; //!< greatest nesting depth of objects and lists

/** Where a value was written: on a line of a file, or in an option of the command line. */
struct JsonOrigin
{
    std::shared_ptr<const std::string> name; //!< path of the file, or the option: "--set"
    std::size_t line{0};                     //!< line of the file, from 1; 0: the name is an option
    bool isOfOtherKind{false};               //!< another "kind" was laid over the value's object
};

/**
 * A JSON document that knows where each of its values was written (file and line, or command-line
 * option). Documents can be laid over each other: a scenario over the one that it extends, options
 * of the command line over both.
 *
 * One rule holds for all of them:
 *   - An object is laid over an object key by key. If both name a "type" and the types differ,
 *     nothing of the lower object is kept. If the upper object names a "kind" and the lower one
 *     does not name the same, lower keys that the new kind does not know are silently ignored.
 *   - An object is laid over a name (a string) as follows: the name becomes {"type": name}, or
 *     {"preset": name} at "/cluster" and "/scheduler", and the object is laid over that.
 *   - Any other value replaces the lower one. Lists are replaced as a whole.
 *
 * Values are addressed by JSON pointer (RFC 6901): "" the root, "/cojobs/0/name" a value in it.
 * Copies are independent.
 */
class JsonDocument
{
  public:
    /**
     * Parse a JSON file. Beyond the grammar (RFC 8259), the following are errors: a key twice in
     * one object, a number beyond 64 bits or beyond double, more than MAX_JSON_DEPTH levels.
     *
     * \throws InputError when the file cannot be read or is not JSON, with line and column
     */
    static JsonDocument ParseFile(const std::string& path);
    /**
     * \param text text in UTF-8, at most MAX_JSON_BYTES
     * \param name name of the text in messages: the path of its file
     */
    static JsonDocument ParseText(const std::string& text, const std::string& name);

    const Json& GetRoot() const
    {
        return m_root;
    }

    /** \return "file:line" of a value, or its option ("--set"); its parent's if there is no value
     */
    std::string Where(const std::string& pointer) const;
    /**
     * \return folder of the file where the value was written, which its relative paths start from;
     *         "" for the current folder, also if the value is from the command line
     */
    std::string GetFolder(const std::string& pointer) const;
    /** \return true if an object that names another "kind" was laid over the value's object */
    bool IsOfOtherKind(const std::string& pointer) const;

    /** Remove a key, if it is there. \param pointer the key of the root or of an object in it */
    void Erase(const std::string& pointer);

    /** Lay a document over this one. */
    void LayOver(const JsonDocument& upper);

    /** \return a document whose only key is `key`, with this one as its value */
    JsonDocument Nest(const std::string& key) const;

    /**
     * Lay a document under this one, whose keys win. Where this one has a name (a string) and the
     * lower one an object, the name becomes an object first.
     *
     * \param lower document whose root is an object, as that of this one
     */
    void LayUnder(const JsonDocument& lower);

    /**
     * Lay one value over this document, as `--set=PATH=VALUE` does. Missing keys on the way are
     * created, elements of lists are not.
     *
     * \param path keys and list indices: "scheduler.placement.Kappa" or "cojobs.0.stages"
     * \param valueText the value: JSON, or else a plain string
     * \param diagnostics gets complaints; the document then stays as it was
     * \param option name of the option that gives the value
     */
    void Override(const std::string& path,
                  const std::string& valueText,
                  std::vector<Diagnostic>& diagnostics,
                  const std::string& option = "--set");

  private:
    JsonDocument() = default;

    /** \return origin of a value, or of the nearest value around it */
    const JsonOrigin& FindOrigin(const std::string& pointer) const;
    void Set(const std::string& path, const std::string& valueText, const std::string& option);
    void Lay(Json& lower, const Json& upper, const std::string& pointer, const JsonDocument& from);
    void LayKeys(Json& lower,
                 const Json& upper,
                 const std::string& pointer,
                 const JsonDocument& from);
    /** Copy the origins of a value, and of all values in it, from another document. */
    void CopyOrigins(const std::string& pointer, const JsonDocument& from);
    void EraseOrigins(const std::string& pointer);

    Json m_root;
    /**
     * Origins of the values, by pointer. A value without an entry has the origin of the nearest
     * value around it; the root has an entry.
     */
    std::map<std::string, JsonOrigin> m_origins;
};

} // namespace ns3::ddl

#endif // DDL_JSON_DOCUMENT_H
