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
    std::string node; //!< name of the machine or switch that it is at
    uint32_t port;    //!< device index there
    std::string peer; //!< name at the other end of the link
    Ptr<Port> device;
};

/** The names of a fabric's nodes, and its links by the names of their two ends. */
class Cabling
{
  public:
    /** \param name not empty, not yet in use. \throws InputError otherwise */
    void AddNode(Ptr<Node> node, const std::string& name);
    /** \param link between nodes that were added \return its index, from 0 */
    uint32_t AddLink(Ptr<Link> link);
    /** Forget everything. */
    void Clear();

    /** \return name of a node. \throws InputError for a node that was not added */
    std::string GetName(Ptr<Node> node) const;

    /** \return all links in order of AddLink */
    const std::vector<Ptr<Link>>& GetLinks() const
    {
        return m_links;
    }

    /** \return indices of the links between two nodes. \throws InputError when there is none */
    std::vector<uint32_t> FindLinks(const std::string& a, const std::string& b) const;
    /** \return the node's port on its n-th link to the peer. \throws InputError if there is none */
    Ptr<Port> GetPort(const std::string& node, const std::string& peer, uint32_t n) const;
    /** \return the ports of nodes, in the order given, then of device index */
    std::vector<NamedPort> ListPorts(const std::vector<Ptr<Node>>& nodes) const;

  private:
    std::map<uint32_t, std::string> m_names; //!< by node id
    std::map<std::string, uint32_t> m_ids;   //!< node id by name
    std::vector<Ptr<Link>> m_links;
    std::map<std::pair<uint32_t, uint32_t>, std::vector<uint32_t>>
        m_between; //!< indices of links by node ids, the lesser one first
};

} // namespace ns3::ddl

#endif // DDL_CABLING_H
