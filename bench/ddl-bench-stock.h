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
     * A root queue disc for every device; none (no TypeId set): ns3::PrioQueueDisc with 8 bands, in
     * each of them a RedQueueDisc that marks as a DCTCP switch does.
     */
    ObjectFactory queueDisc;
    std::string congestionControl{"ns3::TcpDctcp"}; //!< a TcpCongestionOps
};

/**
 * Carry a work with nothing but ns-3's own parts: PointToPointNetDevice, Ipv4L3Protocol,
 * Ipv4StaticRouting with the fewest routes that the paths need, queue discs, TCP, BulkSend and
 * PacketSink, with the TCP settings of TcpTransport. Marks and patterns are not for it: flows only.
 *
 * Sets ns-3's attribute defaults while it runs, and puts them back.
 *
 * \param work what is carried
 * \param options queue disc and congestion control
 * \return what it took; drops and data hops are those of the root queue discs
 */
BenchMeasure RunOnStock(const BenchWork& work, const StockOptions& options = {});

} // namespace ns3::ddl

#endif // DDL_BENCH_STOCK_H
