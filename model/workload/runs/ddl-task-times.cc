// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-task-times.h"

#include "ns3/abort.h"
#include "ns3/ddl-quantity.h"

#include <algorithm>

namespace ns3::ddl
{

namespace
{

constexpr uint32_t WORKER_BITS = 16; //!< bits of an RNG stream's number that name the worker

Ptr<RandomVariableStream>
MakeVariable(const ObjectFactory& factory, int64_t stream)
{
    if (!factory.IsTypeIdSet())
    {
        return nullptr;
    }
    const auto variable = factory.Create<RandomVariableStream>();
    NS_ABORT_MSG_UNLESS(variable, "compute noise is not a RandomVariableStream");
    variable->SetStream(stream);
    return variable;
}

double
DrawFactor(const Ptr<RandomVariableStream>& variable)
{
    return variable ? std::max(0.0, variable->GetValue()) : 1.0;
}

} // namespace

TaskTimes::TaskTimes(const ComputeNoise& noise, JobId job, uint32_t worker)
{
    NS_ABORT_MSG_IF(worker >> WORKER_BITS, "worker " << worker << " of job " << job);
    const int64_t member = (static_cast<int64_t>(job.value) << WORKER_BITS) + worker;
    m_jitter = noise.jitter;
    m_stream = noise.stream + 2 * member;
    m_straggler = DrawFactor(MakeVariable(noise.straggler, noise.stream + 2 * member + 1));
}

double
TaskTimes::DrawJitter()
{
    Ptr<RandomVariableStream>& variable = m_generator.variable;
    if (!variable && m_jitter.IsTypeIdSet())
    {
        variable = MakeVariable(m_jitter, m_stream);
        for (uint64_t i = 0; i < m_drawn; ++i)
        {
            variable->GetValue();
        }
    }
    m_drawn += variable ? 1 : 0;
    return DrawFactor(variable);
}

Time
TaskTimes::Draw(Time base)
{
    const double factor = m_straggler * DrawJitter();
    return factor == 1 ? base : RoundSteps(base.GetDouble() * factor);
}

} // namespace ns3::ddl
