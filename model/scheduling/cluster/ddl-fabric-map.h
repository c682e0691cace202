// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FABRIC_MAP_H
#define DDL_FABRIC_MAP_H

#include "ns3/ddl-network-map.h"
#include "ns3/ddl-transport.h"

#include <map>
#include <utility>
#include <vector>

namespace ns3::ddl
{

/** The map of a fabric, with the paths that a transport lists (Transport::ListPaths). */
class FabricMap : public NetworkMap
{
  public:
    /** \param transport installed on the fabric */
    FabricMap(Ptr<const Fabric> fabric, Ptr<const Transport> transport);

    void Update() override;

    const std::vector<double>& GetRates() const override
    {
        return m_rates;
    }

    bool UsesLinks(HostId source, HostId destination) const override
    {
        return m_fabric->PassesNics(source, destination);
    }

    const Ways& FindWays(HostId source, HostId destination) override;
    std::optional<uint32_t> FindWay(HostId source, HostId destination, uint32_t label) override;

  private:
    std::vector<uint32_t> ListLinks(const std::vector<Ptr<Port>>& ports) const;

    Ptr<const Fabric> m_fabric;
    Ptr<const Transport> m_transport;
    std::vector<double> m_rates;
    std::map<Ptr<Port>, uint32_t> m_numbers; //!< number of each link by its egress port
    std::vector<bool> m_up;                  //!< state of each cable at the last Update
    std::map<std::pair<HostId, HostId>, Ways> m_ways;
};

} // namespace ns3::ddl

#endif // DDL_FABRIC_MAP_H
