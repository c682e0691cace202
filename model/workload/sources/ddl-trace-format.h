// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_TRACE_FORMAT_H
#define DDL_TRACE_FORMAT_H

#include "ddl-trace-lines.h"
#include "ddl-trace.h"

#include "ns3/ddl-policy.h"
#include "ns3/object-factory.h"

#include <istream>
#include <string>

namespace ns3::ddl
{

/** Policy family: how are the lines of a trace file read? */
class TraceFormat : public Policy
{
  public:
    static TypeId GetTypeId();

    /** \return whether a file is of this format. \param header its first line */
    virtual bool Recognises(const std::string& header) const = 0;

    /**
     * Read a file line by line, so that the text itself is never in memory all at once.
     *
     * \param input the text
     * \param name name of the file, for error messages
     * \return the trace: ids from 1 and each once, in the order of arrival
     * \throws InputError with all errors, by line number
     */
    Trace Read(std::istream& input, const std::string& name) const;

  private:
    /** Read lines into a trace. Errors are reported to \p lines, and their lines left out. A format
     * that reads other files as well sets Trace::hash to their hash. */
    virtual void DoRead(TraceLines& lines, Trace& trace) const = 0;
};

/**
 * \param path path of the file
 * \param format a TraceFormat with its attributes; without a TypeId: the one that recognises the
 *        first line
 * \return the trace
 * \throws InputError when the file cannot be read, no format recognises it, or lines are wrong
 */
Trace ReadTrace(const std::string& path, const ObjectFactory& format = ObjectFactory());

} // namespace ns3::ddl

#endif // DDL_TRACE_FORMAT_H
