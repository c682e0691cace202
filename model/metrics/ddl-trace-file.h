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
 * A file in Chrome's trace event format ("JSON Object Format"), written event by event: processes,
 * their tracks ("threads"), slices on these, arrows between slices, and counters. Processes and
 * tracks are numbered from 0 here and from 1 in the file, because viewers take 0 for the idle
 * process. It is written to PATH.part, which Finish renames to PATH; a file that is not finished is
 * removed.
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

    /** Name a process. \param name the name; names have no characters that JSON escapes */
    void NameProcess(uint32_t process, const std::string& name);
    /** Name a track of a process. Tracks are shown by number. */
    void NameTrack(uint32_t process, uint32_t track, const std::string& name);

    /**
     * Add a slice to a track. Slices of one track may touch, and must not overlap.
     *
     * \param process, track where the slice is drawn
     * \param name what happened
     * \param start, end simulated times of its ends
     * \param arguments details of the slice, a JSON object
     */
    void AddSlice(uint32_t process,
                  uint32_t track,
                  const std::string& name,
                  Time start,
                  Time end,
                  const std::string& arguments);

    /** A place and time on a track. */
    struct Point
    {
        uint32_t process;
        uint32_t track;
        Time time;
    };

    /**
     * Draw an arrow between two slices that are in the file already.
     *
     * \param id number of this arrow and no other
     * \param name what the arrow means
     * \param from its start, within a slice or at its beginning
     * \param to its end, within a slice and before its end
     */
    void AddArrow(uint64_t id, const std::string& name, const Point& from, const Point& to);

    /**
     * Set the value of a quantity from some time on.
     *
     * \param process the process to which the quantity belongs
     * \param name name of the quantity, with its unit
     * \param time simulated time from which it has the value
     * \param value the value
     */
    void AddCounter(uint32_t process, const std::string& name, Time time, double value);

    /** Complete the file. \throws RunError with the cause when it could not be written */
    void Finish();

  private:
    void AddEvent(const std::string& event);
    void NoteFailure();

    std::filesystem::path m_path;
    std::ofstream m_file;
    std::string m_cause; //!< cause of the first failure; "" while there is none
    bool m_isFirst{true};
};

} // namespace ns3::ddl

#endif // DDL_TRACE_FILE_H
