// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_QUANTUM_FIXTURE_H
#define DDL_QUANTUM_FIXTURE_H

#include "ddl-quantum-transport.h"
#include "ddl-scheduling-fixture.h"

namespace ns3::ddl
{
namespace test
{

/** A cluster on a network without packets. */
class QuantumFixture : public SchedulingFixture
{
  protected:
    static constexpr uint64_t UNIT = 1'000'000; //!< bytes that a port of 8 Mbps moves in 1 s

    void BuildQuantum(SetUpSpec spec)
    {
        spec.rate = DataRate("8Mbps");
        // Between two iterations of the first job another one gets one quantum in: 20 times a
        // thousandth of a unit in all.
        spec.transport = CreateObject<QuantumTransport>(spec.rate, UNIT / 1000);
        Build(spec);
    }

    void BuildQuantum(const std::string& scheduler)
    {
        SetUpSpec spec;
        spec.scheduler = scheduler;
        BuildQuantum(spec);
    }
};

} // namespace test
} // namespace ns3::ddl

#endif // DDL_QUANTUM_FIXTURE_H
