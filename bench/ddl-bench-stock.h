// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_BENCH_STOCK_H
#define DDL_BENCH_STOCK_H

#include "ddl-bench-work.h"

#include "ns3/object-factory.h"
#include "ns3/type-id.h"

namespace ns3::ddl
{

/** Options of a network that is built of ns-3's own parts only, without this module. */
struct StockOptions
{
    /**
     * Factory of the root queue disc of every device. Without a TypeId: ns3::PrioQueueDisc with 8
     * bands, and in each a RedQueueDisc that marks as a DCTCP switch does.
     */
    ObjectFactory queueDisc;
    std::string congestionControl{"ns3::TcpDctcp"}; //!< TypeId name of a TcpCongestionOps
};

/**
 * Carry a work with nothing but ns-3's own parts: PointToPointNetDevice, Ipv4L3Protocol,
 * Ipv4StaticRouting with the fewest routes that the paths need, queue discs, TCP, BulkSend and
 * PacketSink, with the TCP settings of TcpTransport. It carries flows only, not marks or patterns.
 *
 * Sets ns-3's attribute defaults while it runs, and puts them back.
 *
 * \param work the work to carry
 * \param options queue disc and congestion control
 * \return measurements of the run; drops and data hops are those of the root queue discs
 */
BenchMeasure RunOnStock(const BenchWork& work, const StockOptions& options = {});

} // namespace ns3::ddl

#endif // DDL_BENCH_STOCK_H
