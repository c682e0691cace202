// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_JSON_READER_H
#define DDL_JSON_READER_H

#include "ddl-json-document.h"
#include "ddl-json-object.h"

#include "ns3/ddl-error.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace ns3::ddl
{

/**
 * Reads a document strictly. Whoever reads asks for the keys that it knows, as JsonObject and
 * JsonValue offer; everything wrong is collected and reading goes on with defaults, so that a user
 * sees all errors at once. At the end, Finish() finds the keys that nobody asked for.
 *
 *     std::vector<Diagnostic> diagnostics;
 *     JsonReader reader(document, diagnostics);
 *     JsonObject topology = reader.Root().Object("cluster").Object("topology");
 *     spec.leaves = topology.Unsigned("leaves", {1, 4096}, 2);
 *     spec.hostRate = topology.Rate("hostRate", DataRate("10Gbps"));
 *     reader.Finish();
 *     if (!diagnostics.empty()) throw InputError(diagnostics);
 *
 * The document and the diagnostics must outlive the reader, the reader all objects and values.
 */
class JsonReader
{
  public:
    JsonReader(const JsonDocument& document, std::vector<Diagnostic>& diagnostics);
    JsonReader(const JsonReader&) = delete;
    JsonReader& operator=(const JsonReader&) = delete;

    /** \return the root, which must be an object */
    JsonObject Root();
    /** Adds a complaint about the value at a pointer (RFC 6901). */
    void Report(const std::string& pointer, const std::string& what);
    /** \return where all complaints are, for those that are found with others' help */
    std::vector<Diagnostic>& GetDiagnostics();
    /** \return "file:line", or the option ("--set"), of a value */
    std::string Where(const std::string& pointer) const;
    /** \return folder that relative paths in a value start from, see JsonDocument */
    std::string GetFolder(const std::string& pointer) const;
    /**
     * Complains about every key that nobody asked for in the objects that were read, and sorts all
     * complaints. Call it once, when all has been read.
     */
    void Finish();

    /** For JsonObject: keys of the object at \p pointer are being read. */
    void NoteObject(const std::string& pointer, const Json* object);
    /** For JsonObject: \p key may stand in the object at \p pointer. */
    void NoteKey(const std::string& pointer, const std::string& key);
    /** For JsonObject: every key may stand in the object at \p pointer. */
    void NoteAnyKey(const std::string& pointer);

  private:
    /** An object of the document whose keys were asked for. */
    struct Visited
    {
        const Json* object{nullptr};
        std::set<std::string> known;
        bool isAnyKnown{false};
    };

    void ReportUnknownKeys(const std::string& pointer, const Visited& visited);

    const JsonDocument& m_document;
    std::vector<Diagnostic>& m_diagnostics;
    std::map<std::string, Visited> m_visited; //!< by pointer
};

/**
 * Sorts by file, in the order in which the files are first named, and by line; complaints without
 * a line (options) come last. What stands on one line keeps its order.
 */
void SortByLine(std::vector<Diagnostic>& diagnostics);

} // namespace ns3::ddl

#endif // DDL_JSON_READER_H
