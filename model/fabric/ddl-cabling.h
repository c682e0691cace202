// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_CABLING_H
#define DDL_CABLING_H

#include "ddl-link.h"
#include "ddl-port.h"

#include "ns3/node.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3::ddl
{

/** A port with its names, as result files list it. */
struct NamedPort
{
    std::string node; //!< name of the machine or switch that the port belongs to
    uint32_t port;    //!< device index of the port in that node
    std::string peer; //!< name of the machine or switch at the other end of the link
    Ptr<Port> device;
};

/** The names of a fabric's nodes, and its links by the names of their two ends. */
class Cabling
{
  public:
    /** \param name the node's name, not empty, not yet in use. \throws InputError otherwise */
    void AddNode(Ptr<Node> node, const std::string& name);
    /** \param link a link between nodes that were added \return index of the link, from 0 */
    uint32_t AddLink(Ptr<Link> link);
    /** Remove all nodes and links. */
    void Clear();

    /** \return the name of a node. \throws InputError for a node that was not added */
    std::string GetName(Ptr<Node> node) const;

    /** \return all links, in order of AddLink */
    const std::vector<Ptr<Link>>& GetLinks() const
    {
        return m_links;
    }

    /** \return indices of the links between two nodes. \throws InputError when there is none */
    std::vector<uint32_t> FindLinks(const std::string& a, const std::string& b) const;
    /** \return the node's port on its n-th link to the peer. \throws InputError if there is none */
    Ptr<Port> GetPort(const std::string& node, const std::string& peer, uint32_t n) const;
    /** \return the ports of all nodes, in the order of \p nodes, then of device index */
    std::vector<NamedPort> ListPorts(const std::vector<Ptr<Node>>& nodes) const;

  private:
    std::map<uint32_t, std::string> m_names; //!< name of each node, by node id
    std::map<std::string, uint32_t> m_ids;   //!< node id of each node, by name
    std::vector<Ptr<Link>> m_links;
    std::map<std::pair<uint32_t, uint32_t>, std::vector<uint32_t>>
        m_between; //!< indices of the links between two nodes, by node ids, the lesser one first
};

} // namespace ns3::ddl

#endif // DDL_CABLING_H
