// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_QUEUE_SERVICE_H
#define DDL_QUEUE_SERVICE_H

#include "ddl-port-spec.h"
#include "ddl-queue-scheduler.h"

namespace ns3::ddl
{

/**
 * \param spec settings of a port, of which service, serviceAttributes and weights are read
 * \return a new queue scheduler, not yet configured
 * \throws InputError for an unknown service, an unknown or refused attribute, and for weights
 *         given to a service that has none
 */
Ptr<QueueScheduler> CreateQueueService(const PortSpec& spec);

} // namespace ns3::ddl

#endif // DDL_QUEUE_SERVICE_H
