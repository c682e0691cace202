// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_BENCH_WORK_H
#define DDL_BENCH_WORK_H

#include "ns3/data-rate.h"
#include "ns3/ddl-ids.h"
#include "ns3/ddl-priority.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::ddl
{

/**
 * A case of the benchmark: a leaf-spine network and the flows that it carries, the same for our
 * transports and for stock ns-3.
 *
 * Paths are fixed: what goes to host h of another leaf takes spine h mod hostsPerLeaf mod spines.
 */
struct BenchWork
{
    /** One direction between two machines. */
    struct Flow
    {
        HostId source;
        HostId destination;
        uint64_t bytes{0}; //!< of the application
        Time start;
    };

    std::string name;   //!< "W", "ring", "remark"
    uint32_t leaves{4}; //!< leaf l has hosts l * hostsPerLeaf and on
    uint32_t hostsPerLeaf{4};
    uint32_t spines{4};
    DataRate rate{"10Gbps"};     //!< of every link
    Time delay{MicroSeconds(1)}; //!< of every link, one way
    uint32_t mtu{1500};          //!< bytes of the largest IPv4 packet
    uint64_t bytes{0};           //!< of the application, over all flows
    std::vector<Flow> flows;
    Time remarkPeriod; //!< every stream gets another mark so often; 0 = never
    Mark mark;         //!< of every stream at first, at both ends

    /** \return number of machines */
    uint32_t GetHosts() const
    {
        return leaves * hostsPerLeaf;
    }

    /** \return the spine of every path to a host from another leaf */
    uint32_t GetSpine(HostId destination) const
    {
        return destination.value % hostsPerLeaf % spines;
    }

    /** \return links that a packet passes: 2 below one leaf, else 4 */
    uint32_t GetLinks(HostId source, HostId destination) const
    {
        return source.value / hostsPerLeaf == destination.value / hostsPerLeaf ? 2 : 4;
    }
};

constexpr uint32_t BENCH_FRAMING = 2; //!< bytes beside each packet: that of PointToPointNetDevice
constexpr uint64_t BENCH_LIMIT = 1000000;         //!< bytes that a queue holds
constexpr uint64_t BENCH_ECN_THRESHOLD = 100000;  //!< bytes above which a queue marks
constexpr uint32_t BENCH_SEND_BUFFER = 262144;    //!< bytes, TCP
constexpr uint32_t BENCH_RECEIVE_BUFFER = 524288; //!< bytes, TCP

/** \return the names that MakeBenchWork knows */
std::vector<std::string> ListBenchWorks();

/**
 * W: flows i -> (i + hosts per leaf) mod hosts, so that every path has 4 links and no two flows
 * share one. `remark`: W with every stream remarked each 100 us. `ring`: one all-reduce of all
 * hosts, flows i -> (i + 1) mod hosts.
 *
 * \param name one of these
 * \param hosts a square number: as many leaves, spines, and hosts a leaf as its root
 * \param mtu bytes of the largest IPv4 packet
 * \param bytes in all, divided evenly and rounded down (a ring's chunks: as the pattern rounds
 * them) \return the work \throws InputError for an unknown name, hosts that are no square of 2 to
 * 16, or no bytes for some
 */
BenchWork MakeBenchWork(const std::string& name, uint32_t hosts, uint32_t mtu, uint64_t bytes);

/** The measurements of one run of a work: what arrived when, and the CPU time and memory used. */
struct BenchMeasure
{
    uint64_t bytes{0};        //!< of the application, delivered
    Time start;               //!< first byte given to the transport
    Time end;                 //!< last byte delivered
    std::vector<Time> finish; //!< of each flow that has ended, by flow
    std::optional<double>
        dataHops; //!< data packets times the links that they passed; none: no packets
    std::optional<uint64_t> drops; //!< packets; none where there are none
    uint64_t events{0};            //!< of the simulator
    double cpuSeconds{0};          //!< user and system time of Simulator::Run
    double setupSeconds{0};        //!< user and system time of the process before it
    uint64_t peakBytes{0};         //!< resident memory of the process
};

/**
 * Run the simulator, to be stopped from within, and fill in what that took.
 *
 * \param work what is carried; a run that takes a hundred times as long as its bytes would at line
 *        rate ends
 * \param measure written
 */
void RunMeasured(const BenchWork& work, BenchMeasure& measure);

/**
 * \param work what was to be carried
 * \param measure of a run
 * \throws RunError when not everything has arrived
 */
void RequireDelivered(const BenchWork& work, const BenchMeasure& measure);

} // namespace ns3::ddl

#endif // DDL_BENCH_WORK_H
