// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FLUID_OFFERS_H
#define DDL_FLUID_OFFERS_H

#include "ns3/ddl-fluid-allocator.h"

#include <cstdint>
#include <vector>

namespace ns3::ddl
{

/** The paths of fluid streams that always have bytes to send. */
using FluidPaths = std::vector<const FluidPath*>;

/**
 * The rate that each stream could get if all others kept theirs: the map F of doc/fluid.md.
 *
 * A port's offer to a stream is the rate at which it would serve the stream if that asked for all
 * of the port and each other stream for its own rate: queues are served by level and weight,
 * streams of one queue by max-min. F of a stream is the least offer on its path. F is continuous
 * and no component grows when a rate grows.
 */
class ReferenceOffers
{
  public:
    /**
     * \param ports all ports
     * \param paths one a stream, at least one hop each; ports and paths outlive this object
     */
    ReferenceOffers(const std::vector<FluidPort>& ports, const FluidPaths& paths);

    /** \param rates by stream \return F(rates) by stream. O(hops x log of streams in a queue) */
    std::vector<double> Compute(const std::vector<double>& rates);

  private:
    using PerQueue = std::vector<double>;

    /** The streams that pass one port. */
    struct Users
    {
        uint32_t port{0};
        std::vector<std::vector<uint32_t>> streams; //!< by queue
    };

    void OfferAtPort(Users& users, const std::vector<double>& rates);
    /** \return what a queue of a port would get, would it want everything */
    static double ShareOfQueue(uint32_t queue, const FluidPort& port, const PerQueue& wanted);
    /** \param streams of one queue \param room for all of them */
    void OfferInQueue(std::vector<uint32_t>& streams,
                      double room,
                      const std::vector<double>& rates);

    const std::vector<FluidPort>& m_ports;
    const std::size_t m_count; //!< of streams
    std::vector<Users> m_users;
    std::vector<double> m_offers; //!< the least so far, by stream
};

} // namespace ns3::ddl

#endif // DDL_FLUID_OFFERS_H
