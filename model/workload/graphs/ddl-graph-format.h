// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_GRAPH_FORMAT_H
#define DDL_GRAPH_FORMAT_H

#include "ddl-graph-complaints.h"
#include "ddl-task-graph.h"

#include "ns3/ddl-policy.h"

#include <cstdint>
#include <functional>
#include <istream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** A file of a graph. */
struct GraphFile
{
    std::string name;                                    //!< for messages; may end in `.RANK.et`
    std::function<std::unique_ptr<std::istream>()> open; //!< opens it at its beginning
};

/** An error in a file, thrown by the readers of its parts. */
struct GraphRefusal
{
    std::string place; //!< "line 3", "rank 2, node 17", or ""
    std::string what;
};

/** Policy family: how are the files of a task graph read? */
class GraphFormat : public Policy
{
  public:
    static TypeId GetTypeId();

    /**
     * \param name name of a file
     * \param beginning its first bytes, at most RECOGNISED
     * \return whether the file is of this format
     */
    virtual bool Recognises(const std::string& name, const std::string& beginning) const = 0;

    /**
     * Read a graph, and check it as a whole once there is nothing wrong with its files
     * (CheckGraph). Memory is in proportion to nodes and edges.
     *
     * \param files all files of the graph
     * \return a graph that runs to its end on any network
     * \throws InputError with what is wrong: file, line or node, peer
     */
    TaskGraph Read(const std::vector<GraphFile>& files) const;

    static constexpr std::size_t RECOGNISED = 4096; //!< bytes by which files are recognised

  protected:
    /** \return whether nodes have names */
    bool HasNames() const
    {
        return m_hasNames;
    }

    /** \return most nodes of all ranks together */
    uint64_t GetMostNodes() const
    {
        return m_mostNodes;
    }

  private:
    /** Read files into a graph; what is wrong with them is added to \p complaints, or thrown as a
     * GraphRefusal of the first file. */
    virtual void DoRead(const std::vector<GraphFile>& files,
                        TaskGraph& graph,
                        GraphComplaints& complaints) const = 0;

    bool m_hasNames{true};
    uint64_t m_mostNodes{0};
};

/** \return the rank in a file's name like `PREFIX.3.et`; none if the name is no such name */
std::optional<uint64_t> FindFileRank(const std::string& name);

/**
 * \param paths paths of files; a prefix stands for all files `PREFIX.RANK.et` of its folder
 * \return the files, those of a prefix in the order of their ranks
 * \throws InputError that names all files that cannot be read
 */
std::vector<GraphFile> OpenGraphFiles(const std::vector<std::string>& paths);

/**
 * \return short name of the format that recognises the first of some files
 * \throws InputError when none does, with the menu
 */
std::string FindGraphFormat(const std::vector<GraphFile>& files);

} // namespace ns3::ddl

#endif // DDL_GRAPH_FORMAT_H
