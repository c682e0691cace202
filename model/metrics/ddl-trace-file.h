// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_TRACE_FILE_H
#define DDL_TRACE_FILE_H

#include "ns3/nstime.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

namespace ns3::ddl
{

/**
 * A file in Chrome's trace format, written event by event: processes, their tracks ("threads"), and
 * slices on these. It is written to PATH.part, which Finish renames to PATH; a file that is not
 * finished is removed.
 */
class TraceFile
{
  public:
    /** \param path the file; an existing one is replaced in Finish \throws RunError when it cannot
     * be made */
    explicit TraceFile(const std::filesystem::path& path);
    ~TraceFile();
    TraceFile(const TraceFile&) = delete;
    TraceFile& operator=(const TraceFile&) = delete;

    /** \param name without characters that JSON escapes, here and below */
    void NameProcess(uint32_t process, const std::string& name);
    /** Tracks of a process are shown by number. */
    void NameTrack(uint32_t process, uint32_t track, const std::string& name);

    /**
     * Slices of one track may touch, and must not overlap.
     *
     * \param process, track where
     * \param name what happened
     * \param start, end simulated times
     * \param arguments a JSON object
     */
    void AddSlice(uint32_t process,
                  uint32_t track,
                  const std::string& name,
                  Time start,
                  Time end,
                  const std::string& arguments);

    /** Complete the file. \throws RunError with the cause when it could not be written */
    void Finish();

  private:
    void AddEvent(const std::string& event);
    void NoteFailure();

    std::filesystem::path m_path;
    std::filesystem::path m_neighbour;
    std::ofstream m_file;
    std::string m_cause; //!< of the first failure; "" while there is none
    bool m_isFirst{true};
};

} // namespace ns3::ddl

#endif // DDL_TRACE_FILE_H
