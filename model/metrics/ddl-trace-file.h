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
     * \param id of this arrow and no other
     * \param name what it is
     * \param from within a slice, or at its beginning
     * \param to within a slice, before its end
     */
    void AddArrow(uint64_t id, const std::string& name, const Point& from, const Point& to);

    /**
     * Say that a quantity has a value from some time on.
     *
     * \param process whose it is
     * \param name of the quantity, with its unit
     */
    void AddCounter(uint32_t process, const std::string& name, Time time, double value);

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
