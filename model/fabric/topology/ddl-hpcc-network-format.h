// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_HPCC_NETWORK_FORMAT_H
#define DDL_HPCC_NETWORK_FORMAT_H

#include "ddl-network-format.h"

#include <map>

namespace ns3::ddl
{

/**
 * `hpcc`: the text that HPCC's ns-3 reads (alibaba-edu/High-Precision-Congestion-Control,
 * `TOPOLOGY_FILE`), and simulators that descend from it. All words are separated by white space:
 *
 *     NODES SWITCHES LINKS
 *     the ids of the switches; nodes are numbered from 0, those that are no switches are hosts
 *     SOURCE DESTINATION RATE DELAY ERROR-RATE       for each link
 *
 * What follows the last link is ignored, as HPCC does. Equal lines one after the other are parallel
 * links. An error rate other than 0 is refused: links
 * here lose nothing by themselves. Hosts are called h0, h1... in the order of their ids, the switch
 * of id 20 switch20.
 */
class HpccNetworkFormat : public NetworkFormat
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override
    {
        return "HPCC's text: counts, switch ids, `source destination rate delay error`";
    }

    bool Recognises(const std::string& text) const override;

    bool CanWrite() const override
    {
        return true;
    }

  protected:
    /** Numbers of the first line. */
    struct Header
    {
        uint64_t nodes{0};
        uint64_t perServer{0}; //!< hosts of a server; 0: it is not given
        uint64_t scaleUp{0};   //!< of the switches, the first ones that are inside servers
        uint64_t switches{0};  //!< all
        uint64_t links{0};
        std::size_t words{0}; //!< words of the header
    };

    using Words = std::vector<NetworkWord>;

    /** \return how many words the first line of a text has, and whether all but the last of more
     * than 3 are numbers; 0: they are not */
    static std::size_t CountHeaderWords(const std::string& text);
    /** Read the text behind a header. */
    void ReadBody(const Words& words,
                  const Header& header,
                  NetworkGraph& graph,
                  NetworkComplaints& complaints) const;
    /** Complain about a header that promises too much, or less than nothing. \return whether it is
     * sound */
    static bool CheckHeader(const Words& words,
                            const Header& header,
                            const NetworkGraph& graph,
                            NetworkComplaints& complaints);

  private:
    void DoRead(const std::string& text,
                NetworkGraph& graph,
                NetworkComplaints& complaints) const override;
    void DoWrite(const NetworkGraph& graph, std::ostream& os) const override;
    static void AddNodes(const Header& header,
                         const std::map<uint64_t, std::size_t>& switches,
                         std::size_t line,
                         NetworkGraph& graph);
    static void ReadLink(const NetworkWord* words,
                         NetworkGraph& graph,
                         NetworkComplaints& complaints);
};

} // namespace ns3::ddl

#endif // DDL_HPCC_NETWORK_FORMAT_H
