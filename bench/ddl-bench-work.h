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
 * Paths are fixed: packets to host h of another leaf take spine h mod hostsPerLeaf mod spines.
 */
struct BenchWork
{
    /** Bytes that one machine sends to another. */
    struct Flow
    {
        HostId source;
        HostId destination;
        uint64_t bytes{0}; //!< payload of the application, bytes
        Time start;
    };

    std::string name;   //!< name of the work: "W", "ring", "remark"
    uint32_t leaves{4}; //!< number of leaves; leaf l has hosts from l * hostsPerLeaf on
    uint32_t hostsPerLeaf{4};
    uint32_t spines{4};
    DataRate rate{"10Gbps"};     //!< rate of every link
    Time delay{MicroSeconds(1)}; //!< one-way delay of every link
    uint32_t mtu{1500};          //!< bytes of the largest IPv4 packet
    uint64_t bytes{0};           //!< payload of the application over all flows, bytes
    std::vector<Flow> flows;
    Time remarkPeriod; //!< interval at which every stream gets another mark; 0: never
    Mark mark;         //!< first mark of every stream, at both ends

    /** \return number of machines */
    uint32_t GetHosts() const
    {
        return leaves * hostsPerLeaf;
    }

    /** \return number of the spine of every path to a host from another leaf */
    uint32_t GetSpine(HostId destination) const
    {
        return destination.value % hostsPerLeaf % spines;
    }

    /** \return number of links that a packet passes: 2 below one leaf, else 4 */
    uint32_t GetLinks(HostId source, HostId destination) const
    {
        return source.value / hostsPerLeaf == destination.value / hostsPerLeaf ? 2 : 4;
    }
};

constexpr uint32_t BENCH_FRAMING = 2;     //!< framing bytes per packet of PointToPointNetDevice
constexpr uint64_t BENCH_LIMIT = 1000000; //!< most bytes that a queue holds
constexpr uint64_t BENCH_ECN_THRESHOLD = 100000;  //!< bytes above which a queue marks
constexpr uint32_t BENCH_SEND_BUFFER = 262144;    //!< send buffer of TCP, bytes
constexpr uint32_t BENCH_RECEIVE_BUFFER = 524288; //!< receive buffer of TCP, bytes

/** \return names of the works that MakeBenchWork makes */
std::vector<std::string> ListBenchWorks();

/**
 * W: flows i -> (i + hosts per leaf) mod hosts, so that every path has 4 links and no two flows
 * share one. `remark`: W with every stream remarked each 100 us. `ring`: one all-reduce of all
 * hosts, flows i -> (i + 1) mod hosts.
 *
 * \param name name of the work
 * \param hosts a square number; its root is the number of leaves, of spines, and of hosts per leaf
 * \param mtu bytes of the largest IPv4 packet
 * \param bytes payload of all flows, divided evenly and rounded down (in a ring, as the pattern
 *        rounds its chunks)
 * \return the work
 * \throws InputError for an unknown name, a number of hosts that is no square of 2 to 64, or a
 *         flow without bytes
 */
BenchWork MakeBenchWork(const std::string& name, uint32_t hosts, uint32_t mtu, uint64_t bytes);

/** Measurements of one run of a work: what arrived when, and the CPU time and memory used. */
struct BenchMeasure
{
    uint64_t bytes{0};        //!< delivered payload of the application, bytes
    Time start;               //!< when the transport got the first byte
    Time end;                 //!< when the last byte was delivered
    std::vector<Time> finish; //!< end of each flow that has ended, by flow
    std::optional<double>
        dataHops; //!< data packets times the links that they passed; none: no packets
    std::optional<uint64_t> drops; //!< number of dropped packets; none: no packets
    uint64_t events{0};            //!< number of events of the simulator
    double cpuSeconds{0};          //!< user and system time of Simulator::Run, s
    double setupSeconds{0};        //!< user and system time of the process before Run, s
    uint64_t peakBytes{0};         //!< peak resident memory of the process, bytes
};

/**
 * Run the simulator, which an event has to stop, and measure it.
 *
 * \param work the work; a run ends that takes a hundred times as long as its bytes at line rate
 * \param measure gets the measurements
 */
void RunMeasured(const BenchWork& work, BenchMeasure& measure);

/**
 * \param work the work that was to be carried
 * \param measure measurements of its run
 * \throws RunError when not everything has arrived
 */
void RequireDelivered(const BenchWork& work, const BenchMeasure& measure);

} // namespace ns3::ddl

#endif // DDL_BENCH_WORK_H
