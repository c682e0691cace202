# SPDX-License-Identifier: GPL-2.0-only
# Every file of the module, room by room, in the order of the rooms (doc/source-map.md).
# Plain names below the folder named in the comment; nothing is globbed.

# model/common
set(ddl_common_headers ddl-error.h ddl-ids.h ddl-policy.h ddl-priority.h)
set(ddl_common_sources ddl-error.cc ddl-policy.cc)
set(ddl_common_tests ddl-error-test.cc ddl-policy-test.cc ddl-priority-test.cc)

# model/fabric
set(ddl_fabric_headers
    ddl-cabling.h
    ddl-dscp-map.h
    ddl-dwrr-queue-scheduler.h
    ddl-ecmp-routes.h
    ddl-fabric-device.h
    ddl-fabric.h
    ddl-flow-key.h
    ddl-frame-pool.h
    ddl-frame.h
    ddl-host-address.h
    ddl-host-port.h
    ddl-host-routing.h
    ddl-ipv4-fields.h
    ddl-link.h
    ddl-mixed-queue-scheduler.h
    ddl-persistent-event.h
    ddl-port-pcap.h
    ddl-port-spec.h
    ddl-port.h
    ddl-priority-queue-disc.h
    ddl-queue-accounts.h
    ddl-queue-bank.h
    ddl-queue-scheduler.h
    ddl-queue-service.h
    ddl-shared-buffer.h
    ddl-strict-priority-queue-scheduler.h
    ddl-switch-port.h
    ddl-switch.h
    ddl-topology.h
    ddl-transmitter.h
    ddl-weighted-queue-scheduler.h
    ddl-wire.h
    ddl-wrr-queue-scheduler.h)
set(ddl_fabric_sources
    ddl-cabling.cc
    ddl-dscp-map.cc
    ddl-dwrr-queue-scheduler.cc
    ddl-ecmp-routes.cc
    ddl-fabric-device.cc
    ddl-fabric.cc
    ddl-frame-pool.cc
    ddl-host-port.cc
    ddl-host-routing.cc
    ddl-ipv4-fields.cc
    ddl-link.cc
    ddl-mixed-queue-scheduler.cc
    ddl-port-pcap.cc
    ddl-port.cc
    ddl-priority-queue-disc.cc
    ddl-queue-accounts.cc
    ddl-queue-bank.cc
    ddl-queue-scheduler.cc
    ddl-queue-service.cc
    ddl-shared-buffer.cc
    ddl-strict-priority-queue-scheduler.cc
    ddl-switch-port.cc
    ddl-switch.cc
    ddl-topology.cc
    ddl-transmitter.cc
    ddl-weighted-queue-scheduler.cc
    ddl-wire.cc
    ddl-wrr-queue-scheduler.cc)
set(ddl_fabric_tests
    ddl-dscp-map-test.cc
    ddl-fabric-path-test.cc
    ddl-host-port-test.cc
    ddl-port-service-test.cc
    ddl-queue-bank-test.cc
    ddl-queue-scheduler-test.cc
    ddl-strict-hop-test.cc)

# model/transport
set(ddl_transport_headers
    ddl-congestion-control.h
    ddl-dctcp-floor.h
    ddl-local-stream.h
    ddl-message-stream.h
    ddl-stream-counters.h
    ddl-stream-socket.h
    ddl-tcp-host.h
    ddl-tcp-options.h
    ddl-tcp-stream.h
    ddl-tcp-transport.h
    ddl-transport.h
)
set(ddl_transport_sources
    ddl-congestion-control.cc
    ddl-dctcp-floor.cc
    ddl-local-stream.cc
    ddl-message-stream.cc
    ddl-stream-socket.cc
    ddl-tcp-host.cc
    ddl-tcp-stream.cc
    ddl-tcp-transport.cc
    ddl-transport.cc
)
set(ddl_transport_tests
    ddl-message-stream-test.cc
    ddl-tcp-host-test.cc
    ddl-tcp-stall-test.cc
    ddl-tcp-starvation-test.cc
    ddl-tcp-transport-test.cc
    ddl-transport-conformance-test.cc
)

# model/cluster
set(ddl_cluster_headers
  ddl-cluster-clock.h
  ddl-cluster-view.h
  ddl-cluster.h
  ddl-gpu-id.h
  ddl-gpu.h
  ddl-machine.h
)
set(ddl_cluster_sources ddl-cluster.cc ddl-gpu.cc ddl-machine.cc)
set(ddl_cluster_tests ddl-cluster-test.cc ddl-gpu-test.cc)

# model/workload
set(ddl_workload_headers
  ddl-cojob.h
  ddl-communication-pattern.h
  ddl-compute-noise.h
  ddl-iteration-log.h
  ddl-job-hosts.h
  ddl-job-spec.h
  ddl-job-state.h
  ddl-job.h
  ddl-list-search-algorithm.h
  ddl-model-profile.h
  ddl-none-search-algorithm.h
  ddl-parameter-server-communication-pattern.h
  ddl-rank-app.h
  ddl-rank-channel.h
  ddl-rank-plan.h
  ddl-ring-communication-pattern.h
  ddl-search-algorithm.h
  ddl-server-app.h
  ddl-split-bytes.h
  ddl-successive-halving-search-algorithm.h
  ddl-task-times.h
  ddl-worker-app.h
)
set(ddl_workload_sources
  ddl-cojob.cc
  ddl-communication-pattern.cc
  ddl-iteration-log.cc
  ddl-job-hosts.cc
  ddl-job-queries.cc
  ddl-job.cc
  ddl-list-search-algorithm.cc
  ddl-model-profile.cc
  ddl-none-search-algorithm.cc
  ddl-parameter-server-communication-pattern.cc
  ddl-rank-app.cc
  ddl-rank-channel.cc
  ddl-rank-plan.cc
  ddl-ring-communication-pattern.cc
  ddl-search-algorithm.cc
  ddl-server-app.cc
  ddl-successive-halving-search-algorithm.cc
  ddl-task-times.cc
  ddl-worker-app.cc
)
set(ddl_workload_tests
  ddl-cojob-test.cc
  ddl-communication-pattern-test.cc
  ddl-compute-noise-test.cc
  ddl-job-test.cc
  ddl-model-profile-test.cc
  ddl-rank-plan-test.cc
  ddl-search-algorithm-test.cc
)

# model/placement
set(ddl_placement_headers
  ddl-cluster-view-access.h
  ddl-first-fit-placement-policy.h
  ddl-place-all.h
  ddl-placement-policy.h
  ddl-server-placement.h
)
set(ddl_placement_sources
  ddl-cluster-view-access.cc
  ddl-first-fit-placement-policy.cc
  ddl-place-all.cc
  ddl-placement-policy.cc
  ddl-server-placement.cc
)
set(ddl_placement_tests ddl-place-all-test.cc ddl-placement-policy-test.cc)

# model/scheduling
set(ddl_scheduling_headers
  ddl-agent.h
  ddl-baraat-network-scheduler.h
  ddl-build-scheduler-view.h
  ddl-check-workload.h
  ddl-cojob-run.h
  ddl-control-message.h
  ddl-control-plane.h
  ddl-coordinator.h
  ddl-direct-control-plane.h
  ddl-fair-share-network-scheduler.h
  ddl-fifo-job-queue-policy.h
  ddl-grouper-network-scheduler.h
  ddl-in-band-control-plane.h
  ddl-job-manager.h
  ddl-job-queue-policy.h
  ddl-live-cojob.h
  ddl-live-cojobs.h
  ddl-local-priorities.h
  ddl-network-scheduler.h
  ddl-primal-dual-order.h
  ddl-rank-book.h
  ddl-scheduler-view.h
  ddl-sptf-network-scheduler.h
  ddl-stage-book.h
  ddl-standing-order.h
  ddl-unit-order.h)
set(ddl_scheduling_sources
  ddl-agent.cc
  ddl-baraat-network-scheduler.cc
  ddl-build-scheduler-view.cc
  ddl-check-workload.cc
  ddl-cojob-run.cc
  ddl-control-message.cc
  ddl-control-plane.cc
  ddl-coordinator.cc
  ddl-direct-control-plane.cc
  ddl-fair-share-network-scheduler.cc
  ddl-fifo-job-queue-policy.cc
  ddl-grouper-network-scheduler.cc
  ddl-in-band-control-plane.cc
  ddl-job-manager.cc
  ddl-job-queue-policy.cc
  ddl-live-cojobs.cc
  ddl-local-priorities.cc
  ddl-network-scheduler.cc
  ddl-primal-dual-order.cc
  ddl-rank-book.cc
  ddl-sptf-network-scheduler.cc
  ddl-stage-book.cc
  ddl-standing-order.cc
  ddl-unit-order.cc)
set(ddl_scheduling_tests
  ddl-grouper-network-scheduler-test.cc
  ddl-job-manager-test.cc
  ddl-local-priorities-test.cc
  ddl-network-scheduler-test.cc
  ddl-simple-network-schedulers-test.cc)

# model/metrics
set(ddl_metrics_headers ddl-statistics.h)
set(ddl_metrics_sources ddl-statistics.cc)
set(ddl_metrics_tests ddl-statistics-test.cc)

# helper
set(ddl_helper_headers
    ddl-arguments.h
    ddl-bars-figure.h
    ddl-cdf-slowdown-figure.h
    ddl-child-process.h
    ddl-compare-check.h
    ddl-compare-progress.h
    ddl-compare-report.h
    ddl-compare-run.h
    ddl-compare.h
    ddl-csv-table.h
    ddl-figure.h
    ddl-figures.h
    ddl-gnuplot.h
    ddl-plot.h
    ddl-ports-figure.h
    ddl-process-pool.h
    ddl-program.h
    ddl-result-set.h
    ddl-run-summary.h
    ddl-text-table.h
    ddl-variation.h)
set(ddl_helper_sources
    ddl-arguments.cc
    ddl-bars-figure.cc
    ddl-cdf-slowdown-figure.cc
    ddl-child-process.cc
    ddl-compare-check.cc
    ddl-compare-options.cc
    ddl-compare-progress.cc
    ddl-compare-report.cc
    ddl-compare-run.cc
    ddl-compare.cc
    ddl-csv-table.cc
    ddl-figure.cc
    ddl-figures.cc
    ddl-gnuplot.cc
    ddl-plot.cc
    ddl-ports-figure.cc
    ddl-process-pool.cc
    ddl-program.cc
    ddl-result-set.cc
    ddl-run-summary.cc
    ddl-text-table.cc
    ddl-variation.cc)
set(ddl_helper_tests ddl-arguments-test.cc ddl-csv-table-test.cc ddl-text-table-test.cc)

# programs (one executable each) and examples
set(ddl_programs ddl-compare ddl-plot)
set(ddl_examples)
