// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_TRACE_FORMAT_H
#define DDL_TRACE_FORMAT_H

#include "ddl-trace-lines.h"
#include "ddl-trace.h"

#include "ns3/ddl-policy.h"

#include <istream>
#include <string>

namespace ns3::ddl
{

/** Policy family: how are the lines of a trace file read? */
class TraceFormat : public Policy
{
  public:
    static TypeId GetTypeId();

    /** \return whether a file whose first line is this one is of this format */
    virtual bool Recognises(const std::string& header) const = 0;

    /**
     * Read a file line by line, so that the text itself is never in memory all at once.
     *
     * \param input the text
     * \param name of the file, for complaints
     * \return the trace: ids from 1 and each once, in the order of arrival
     * \throws InputError with all lines that are wrong, by number
     */
    Trace Read(std::istream& input, const std::string& name) const;

  private:
    /** Reports what is wrong to \p lines, and leaves it out. */
    virtual void DoRead(TraceLines& lines, Trace& trace) const = 0;
};

/**
 * \param path of the file
 * \param format short name or TypeId name of a TraceFormat; "auto": the one that recognises the
 *        first line
 * \throws InputError when the file cannot be read, no format recognises it, or lines are wrong
 */
Trace ReadTrace(const std::string& path, const std::string& format);

} // namespace ns3::ddl

#endif // DDL_TRACE_FORMAT_H
