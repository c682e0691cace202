// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PORT_PCAP_H
#define DDL_PORT_PCAP_H

#include "ddl-port.h"

#include "ns3/pcap-file-wrapper.h"

#include <string>

namespace ns3::ddl
{

/** A file of captured packets. After its Close, its Fail says whether any was lost. */
struct PortCapture
{
    std::string name;
    Ptr<PcapFileWrapper> file;
};

/**
 * Write what a port sends and receives, from now on, to the file "PREFIX-NODE-DEVICE.pcap" of bare
 * IPv4 packets (DLT_RAW) with time stamps in nanoseconds, with DSCP, ECN and TTL as they are at
 * that port. Changes no event. The file is complete when the port is gone (Simulator::Destroy, and
 * no Fabric held).
 *
 * \param prefix path and beginning of the file's name; its folder exists
 * \param port any port
 * \return the open file
 * \throws RunError when the file cannot be written
 */
PortCapture EnablePcap(const std::string& prefix, Ptr<Port> port);

} // namespace ns3::ddl

#endif // DDL_PORT_PCAP_H
