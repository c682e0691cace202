// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-hpcc-network-format.h"

namespace ns3::ddl
{

/**
 * `simai`: what SimAI's generator writes (aliyun/SimAI, `gen_Topo_Template.py`): HPCC's text with
 * another first line,
 *
 *     NODES GPUS-PER-SERVER NVSWITCHES SWITCHES LINKS GPU-TYPE
 *
 * Hosts are the interfaces of single GPUs; so many after each other are one server. The first ids
 * of the list of switches are those of NVSwitches, inside servers.
 */
class SimaiNetworkFormat : public HpccNetworkFormat
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::SimaiNetworkFormat")
                                .SetParent<NetworkFormat>()
                                .SetGroupName("Ddl")
                                .AddConstructor<SimaiNetworkFormat>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "SimAI's text: as hpcc, with servers and the NVSwitches inside them";
    }

    bool Recognises(const std::string& text) const override
    {
        return CountHeaderWords(text) == SIMAI_WORDS;
    }

    bool CanWrite() const override
    {
        return false;
    }

  private:
    static constexpr std::size_t SIMAI_WORDS = 6; //!< of the first line

    void DoRead(const std::string& text,
                NetworkGraph& graph,
                NetworkComplaints& complaints) const override
    {
        const Words words = SplitWords(text);
        if (CountHeaderWords(text) != SIMAI_WORDS)
        {
            complaints.Add(graph.source + ":1",
                           "the first line must be NODES GPUS-PER-SERVER NVSWITCHES SWITCHES "
                           "LINKS GPU-TYPE");
            return;
        }
        Header header;
        header.words = SIMAI_WORDS;
        header.nodes = *ReadCount(words[0].text);
        header.perServer = *ReadCount(words[1].text);
        header.scaleUp = *ReadCount(words[2].text);
        const uint64_t others = *ReadCount(words[3].text);
        header.switches = header.scaleUp > header.nodes || others > header.nodes
                              ? header.nodes + 1
                              : header.scaleUp + others;
        header.links = *ReadCount(words[4].text);
        ReadBody(words, header, graph, complaints);
    }
};

NS_OBJECT_ENSURE_REGISTERED(SimaiNetworkFormat);

} // namespace ns3::ddl
