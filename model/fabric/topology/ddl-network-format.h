// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_NETWORK_FORMAT_H
#define DDL_NETWORK_FORMAT_H

#include "ddl-network-graph.h"

#include "ns3/ddl-policy.h"

#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::ddl
{

constexpr std::size_t MOST_NETWORK_BYTES = std::size_t{1} << 28; //!< largest file of a network

/** Policy family: how are networks read from a text, and written? A format may do one of both. */
class NetworkFormat : public Policy
{
  public:
    static TypeId GetTypeId();

    /** \return whether a text is of this format, as far as its beginning tells; false if the format
     * is only written */
    virtual bool Recognises(const std::string& text) const = 0;

    /** \return whether networks can be written in this format */
    virtual bool CanWrite() const
    {
        return false;
    }

    /**
     * \param text the network in this format
     * \param source name of its file; "": the text stands in a scenario and has no lines
     * \return a network without problems (NetworkGraph::FindProblems)
     * \throws InputError with all that is wrong, each with line and node
     */
    Ptr<NetworkGraph> Read(const std::string& text, const std::string& source) const;

    /**
     * \param graph a network without problems, all of whose links have rate and delay
     * \throws InputError when the format cannot hold it, or is only read
     */
    void Write(const NetworkGraph& graph, std::ostream& os) const;

  private:
    virtual void DoRead(const std::string& text,
                        NetworkGraph& graph,
                        NetworkComplaints& complaints) const = 0;
    virtual void DoWrite(const NetworkGraph& graph, std::ostream& os) const;
};

/** \return short names of the formats that can be written, sorted */
std::vector<std::string> ListWritableFormats();

/**
 * \param path a file of at most MOST_NETWORK_BYTES
 * \param format short name of its format, or "auto": the one that recognises it
 * \throws InputError when the file cannot be read, is of no format, or is wrong
 */
Ptr<NetworkGraph> ReadNetwork(const std::string& path, const std::string& format = "auto");

/** \return whether a file is a network of some format; false if it cannot be read */
bool IsNetwork(const std::string& path);

/** A word of a text file, and its line. */
struct NetworkWord
{
    std::string_view text;
    std::size_t line; //!< from 1
};

/** \return the words of a text that outlives them, without comments from `#` to the line's end */
std::vector<NetworkWord> SplitWords(const std::string& text);

/** \return the whole number from 0 on that a word is; none: it is something else, or too large */
std::optional<uint64_t> ReadCount(std::string_view word);

/** \return level of each node in pictures: its own, or its distance from the nearest host */
std::vector<uint32_t> ListTiers(const NetworkGraph& graph);

} // namespace ns3::ddl

#endif // DDL_NETWORK_FORMAT_H
