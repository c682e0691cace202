// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PATH_RECORDER_H
#define DDL_PATH_RECORDER_H

#include "ddl-result-tables.h"

#include "ns3/ddl-fabric.h"
#include "ns3/ddl-sending-stream.h"

#include <map>

namespace ns3::ddl
{

class TrainingCluster;

/**
 * Makes the rows of paths.csv: the ports that data of each stream of a job take, when the stream is
 * opened and when it is pinned to a path. It listens to trace sources only.
 */
class PathRecorder
{
  public:
    /** \param rows takes the rows; outlives it, as the cluster does */
    PathRecorder(Ptr<TrainingCluster> cluster, ResultRows& rows);
    PathRecorder(const PathRecorder&) = delete;
    PathRecorder& operator=(const PathRecorder&) = delete;

  private:
    void NotifyPath(JobId job, Ptr<SendingStream> stream);
    void AddRow(PathRow row, const PathHop& hop);

    Ptr<const Fabric> m_fabric;
    Ptr<const PathSelector> m_selector;
    std::map<Ptr<Port>, NamedPort> m_names;
    ResultRows& m_rows;
};

} // namespace ns3::ddl

#endif // DDL_PATH_RECORDER_H
