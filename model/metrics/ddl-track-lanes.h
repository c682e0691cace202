// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_TRACK_LANES_H
#define DDL_TRACK_LANES_H

#include "ns3/ddl-ids.h"

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace ns3::ddl
{

class TraceFile;

/** What a track that is no GPU shows. */
enum class TrackKind
{
    SEND,
    RECEIVE,
    LOCAL
};

/**
 * Tracks for things that may overlap, while things on one track may not: each takes the first free
 * lane of its kind on its machine. A lane is named in the file when it is first taken.
 */
class TrackLanes
{
  public:
    /** \param file gets the names; outlives this */
    explicit TrackLanes(TraceFile& file);

    /** \return number of a track of that machine, taken until Free */
    uint32_t Take(HostId host, TrackKind kind);
    void Free(HostId host, TrackKind kind, uint32_t track);

  private:
    TraceFile& m_file;
    std::map<std::pair<HostId, TrackKind>, std::vector<bool>> m_taken;
};

} // namespace ns3::ddl

#endif // DDL_TRACK_LANES_H
