// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-communication-gate.h"

#include "ns3/abort.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-quantity.h"
#include "ns3/log.h"

#include <string>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlCommunicationGate");
NS_OBJECT_ENSURE_REGISTERED(CommunicationGate);

namespace
{

/** End the program when an index of the view is out of range. */
void
CheckView(const GateView& view)
{
    NS_ABORT_MSG_IF(view.candidate >= view.ready.size(),
                    "task " << view.candidate << " of " << view.ready.size() << " in question");
    for (const auto& server : view.servers)
    {
        for (const uint32_t task : server.tasks)
        {
            NS_ABORT_MSG_IF(task >= view.running.size(),
                            "server " << server.host << " carries task " << task << " of "
                                      << view.running.size());
        }
    }
}

} // namespace

TypeId
CommunicationGate::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::CommunicationGate").SetParent<Policy>().SetGroupName("Ddl");
    return tid;
}

GateAnswer
CommunicationGate::MayStart(const GateView& view)
{
    CheckView(view);
    const Stopwatch stopwatch(*this);
    const GateAnswer answer = DoMayStart(view);
    if (answer.GetDate() && *answer.GetDate() <= view.now)
    {
        throw RunError(GetInstanceTypeId().GetName() + " lets job " +
                       std::to_string(view.GetTask().job.value) + " start at " +
                       FormatDuration(*answer.GetDate()) + ", which is not in the future: it is " +
                       FormatDuration(view.now));
    }
    NS_LOG_LOGIC("job " << view.GetTask().job << (answer ? " may start" : " has to wait"));
    return answer;
}

} // namespace ns3::ddl
