# SPDX-License-Identifier: GPL-2.0-only
# Every file of the module, room by room, in the order of the rooms (doc/source-map.md): ddl_A_B lists
# model/A/B, ddl_app_A lists app/A. A plain name stands for a header and a source of that name; what
# there is but one of bears its suffix. Nothing is globbed.

# model/common
set(ddl_common
    ddl-attribute-check
    ddl-content-hash
    ddl-error
    ddl-event-pool
    ddl-foreseen-event.h
    ddl-ids.h
    ddl-list-accessor.h
    ddl-place.h
    ddl-policy
    ddl-policy-source
    ddl-priority.h
    ddl-quantity
    ddl-ratio.h
    ddl-version
    ddl-wheel-scheduler)
set(ddl_common_tests
    ddl-error-test.cc
    ddl-foreseen-event-test.cc
    ddl-policy-test.cc
    ddl-priority-test.cc
    ddl-process-state.cc
    ddl-process-state-test.cc
    ddl-ratio-test.cc
    ddl-test-main.cc
    ddl-wheel-scheduler-test.cc
    ddl-wheel-simulation-test.cc)

# model/fabric/queues
set(ddl_fabric_queues
    ddl-dscp-map
    ddl-dwrr-queue-scheduler.cc
    ddl-mixed-queue-scheduler.cc
    ddl-port-spec.h
    ddl-priority-queue-disc
    ddl-queue-account.h
    ddl-queue-scheduler
    ddl-queue-service
    ddl-shared-buffer
    ddl-strict-priority-queue-scheduler
    ddl-weighted-queue-scheduler
    ddl-wrr-queue-scheduler.cc)

# model/fabric
set(ddl_fabric
    ddl-adaptive-path-selector.cc
    ddl-cabling
    ddl-d-mod-k-path-selector.cc
    ddl-ecmp-path-selector.cc
    ddl-ecmp-routes
    ddl-fabric
    ddl-fabric-device
    ddl-flow-key.h
    ddl-flowlet-path-selector.cc
    ddl-frame.h
    ddl-frame-pool
    ddl-host-address.h
    ddl-host-port
    ddl-host-routing
    ddl-ipv4-fields
    ddl-link
    ddl-nic-engine.h
    ddl-packet-audit
    ddl-packet-count.h
    ddl-path-selector
    ddl-path-telemetry
    ddl-pause-meter
    ddl-persistent-event.h
    ddl-port
    ddl-port-pcap
    ddl-queue-bank
    ddl-quiet-trace.h
    ddl-scale-up.h
    ddl-spray-path-selector.cc
    ddl-switch
    ddl-switch-port
    ddl-transmitter
    ddl-wire)

# model/fabric/topology
set(ddl_fabric_topology
    ddl-dot-network-format.cc
    ddl-dumbbell-topology.cc
    ddl-fat-tree-topology.cc
    ddl-graph-topology
    ddl-hpcc-network-format
    ddl-htsim-network-format.cc
    ddl-json-network-format.cc
    ddl-leaf-spine-topology
    ddl-network-format
    ddl-network-graph
    ddl-rail-optimised-topology.cc
    ddl-simai-network-format.cc
    ddl-single-switch-topology.cc
    ddl-svg-network-format.cc
    ddl-three-tier-topology.cc
    ddl-topology)
set(ddl_fabric_tests
    ddl-dscp-map-test.cc
    ddl-ecmp-test.cc
    ddl-fabric-path-test.cc
    ddl-flow-monitor-test.cc
    ddl-graph-topology-test.cc
    ddl-host-port-test.cc
    ddl-link-failure-test.cc
    ddl-nic-engine-test.cc
    ddl-packet-audit-test.cc
    ddl-path-selector-test.cc
    ddl-pause-meter-test.cc
    ddl-port-pcap-test.cc
    ddl-port-service-test.cc
    ddl-priority-queue-disc-test.cc
    ddl-queue-bank-test.cc
    ddl-queue-scheduler-conformance-test.cc
    ddl-queue-scheduler-test.cc
    ddl-strict-hop-test.cc
    ddl-topology-conformance-test.cc
    ddl-topology-test.cc
    ddl-wire-test.cc)

# model/transport
set(ddl_transport
    ddl-local-stream
    ddl-queue-traffic.h
    ddl-receiving-stream
    ddl-sending-stream
    ddl-stream
    ddl-stream-crossing
    ddl-stream-host
    ddl-stream-tags
    ddl-transport)

# model/transport/tcp
set(ddl_transport_tcp
    ddl-congestion-control
    ddl-dctcp-floor
    ddl-mltcp
    ddl-patient-socket
    ddl-stream-socket
    ddl-tcp-host
    ddl-tcp-stream
    ddl-tcp-transport)

# model/transport/rdma
set(ddl_transport_rdma
    ddl-base-round-trip
    ddl-dcqcn-rdma-congestion-control
    ddl-dctcp-rdma-congestion-control
    ddl-fixed-rdma-congestion-control
    ddl-hpcc-rdma-congestion-control
    ddl-mltcp-rdma-congestion-control
    ddl-queue-pair-table.h
    ddl-rdma-congestion-control
    ddl-rdma-flight
    ddl-rdma-host
    ddl-rdma-nic
    ddl-rdma-options.h
    ddl-rdma-receiver
    ddl-rdma-scoreboard
    ddl-rdma-sender
    ddl-rdma-stream
    ddl-rdma-transport
    ddl-reps-entropies
    ddl-roce-header
    ddl-swift-rdma-congestion-control)

# model/transport/fluid
set(ddl_transport_fluid
    ddl-fluid-agenda
    ddl-fluid-allocator
    ddl-fluid-contention.h
    ddl-fluid-engine
    ddl-fluid-fifo.h
    ddl-fluid-host
    ddl-fluid-iteration
    ddl-fluid-network
    ddl-fluid-progress
    ddl-fluid-stream
    ddl-fluid-transport)
set(ddl_transport_tests
    ddl-dcqcn-test.cc
    ddl-fat-tree-traffic-test.cc
    ddl-fluid-allocator-test.cc
    ddl-fluid-agenda-test.cc
    ddl-fluid-progress-test.cc
    ddl-fluid-offers.cc
    ddl-fluid-scenarios-test.cc
    ddl-fluid-transport-test.cc
    ddl-sending-stream-test.cc
    ddl-stream-ends-test.cc
    ddl-demotion-test.cc
    ddl-hpcc-test.cc
    ddl-mltcp-test.cc
    ddl-rdma-congestion-control-test.cc
    ddl-rdma-flight-test.cc
    ddl-rdma-incast-test.cc
    ddl-rdma-loss-test.cc
    ddl-rdma-nic-test.cc
    ddl-rdma-paths-test.cc
    ddl-rdma-pfc-test.cc
    ddl-rdma-scoreboard-test.cc
    ddl-rdma-starvation-test.cc
    ddl-rdma-timing-test.cc
    ddl-reps-entropies-test.cc
    ddl-roce-header-test.cc
    ddl-scale-up-test.cc
    ddl-swift-test.cc
    ddl-tcp-close-test.cc
    ddl-tcp-host-test.cc
    ddl-tcp-long-stream-test.cc
    ddl-tcp-marks-test.cc
    ddl-tcp-stall-test.cc
    ddl-tcp-starvation-test.cc
    ddl-tcp-transport-test.cc
    ddl-transport-conformance-test.cc)

# model/cluster
set(ddl_cluster
    ddl-cluster
    ddl-cluster-clock.h
    ddl-cluster-view.h
    ddl-fifo-task-queue-policy
    ddl-gpu
    ddl-gpu-id.h
    ddl-gpu-type
    ddl-machine
    ddl-srsf-task-queue-policy.cc
    ddl-task-queue-policy)
set(ddl_cluster_tests
    ddl-cluster-test.cc
    ddl-gpu-sharing-test.cc
    ddl-gpu-test.cc
    ddl-gpu-type-test.cc)

# model/workload/spec
set(ddl_workload_spec
    ddl-compute-noise.h
    ddl-curve-shape
    ddl-curve-spec
    ddl-dally-models
    ddl-hare-models
    ddl-job-spec.h
    ddl-layer-table
    ddl-learning-curve
    ddl-model-profile
    ddl-overlap-spec.h
    ddl-rng-streams.h)

# model/workload/graphs
set(ddl_workload_graphs
    ddl-chakra-graph-format.cc
    ddl-chakra-wire
    ddl-goal-binary-graph-format.cc
    ddl-goal-graph-format.cc
    ddl-goal-operations
    ddl-graph-complaints.h
    ddl-graph-format
    ddl-graph-matches
    ddl-graph-schedule
    ddl-graph-source
    ddl-simai-graph-format.cc
    ddl-llm
    ddl-llm-presets.cc
    ddl-task-graph)

# model/workload/patterns
set(ddl_workload_patterns
    ddl-binary-tree-communication-pattern.cc
    ddl-bucket-plan
    ddl-collective-choice
    ddl-collective-layout
    ddl-collective-plan
    ddl-communication-pattern
    ddl-double-binary-tree-communication-pattern.cc
    ddl-double-tree
    ddl-halving-doubling-communication-pattern.cc
    ddl-hierarchical-communication-pattern.cc
    ddl-nic-bytes
    ddl-parameter-server-communication-pattern
    ddl-plan-builder
    ddl-rank-plan
    ddl-recursive-doubling-communication-pattern.cc
    ddl-ring-communication-pattern
    ddl-shuffle-communication-pattern
    ddl-tiered-ring-communication-pattern.cc)

# model/workload/estimates
set(ddl_workload_estimates
    ddl-compute-usage
    ddl-estimator
    ddl-forest-estimator.cc
    ddl-job-usage.h
    ddl-linear-estimator.cc
    ddl-none-estimator
    ddl-oracle-estimator.cc
    ddl-regression-error
    ddl-regression-estimator
    ddl-regression-forest
    ddl-table-estimator.cc)

# model/workload/search
set(ddl_workload_search
    ddl-hyperband-brackets
    ddl-hyperband-search-algorithm
    ddl-list-search-algorithm
    ddl-none-search-algorithm
    ddl-search-algorithm
    ddl-successive-halving-search-algorithm)

# model/workload/sources
set(ddl_workload_sources
    ddl-acme-trace-format.cc
    ddl-alibaba2020-trace-format.cc
    ddl-alibaba2023-trace-format.cc
    ddl-arrival-process
    ddl-at-once-arrival-process
    ddl-cluster-log-trace-format
    ddl-coflows-trace-format.cc
    ddl-cojob-source.h
    ddl-generated-cojobs
    ddl-generator-spec
    ddl-helios-trace-format.cc
    ddl-jobs-trace-format.cc
    ddl-layer-file
    ddl-log-time
    ddl-philly-arrival-process.cc
    ddl-philly-trace-format.cc
    ddl-poisson-arrival-process.cc
    ddl-quantile-random-variable
    ddl-trace.h
    ddl-trace-cojobs
    ddl-trace-columns
    ddl-trace-format
    ddl-trace-lines
    ddl-uniform-arrival-process.cc)

# model/workload/runs
set(ddl_workload_runs
    ddl-checkpoints
    ddl-cojob
    ddl-gang-training-job.cc
    ddl-graph-plan
    ddl-graph-rank
    ddl-graph-training-job
    ddl-iteration-log
    ddl-job
    ddl-job-hosts
    ddl-job-oracle.h
    ddl-job-service
    ddl-leaping-run.h
    ddl-llm-training-job.cc
    ddl-local-run
    ddl-lone-job
    ddl-rank
    ddl-run-part
    ddl-run-spec
    ddl-task-run
    ddl-task-times
    ddl-tasks-training-job.cc
    ddl-training-job)

# model/workload/background
set(ddl_workload_background
    ddl-background-flow
    ddl-constant-rate-flow
    ddl-elastic-flow)
set(ddl_workload_tests
    ddl-all-reduce-conformance-test.cc
    ddl-all-reduce-packet-test.cc
    ddl-all-reduce-pattern-test.cc
    ddl-arrival-process-test.cc
    ddl-background-flow-test.cc
    ddl-bucket-plan-test.cc
    ddl-cluster-log-test.cc
    ddl-cojob-test.cc
    ddl-collective-plan-test.cc
    ddl-collective-time-test.cc
    ddl-communication-pattern-test.cc
    ddl-compute-noise-test.cc
    ddl-generated-cojobs-test.cc
    ddl-graph-format-test.cc
    ddl-hyperband-test.cc
    ddl-job-hosts-test.cc
    ddl-job-packet-test.cc
    ddl-job-service-test.cc
    ddl-graph-training-job-test.cc
    ddl-job-test.cc
    ddl-layer-file-test.cc
    ddl-leaping-run-test.cc
    ddl-learning-curve-test.cc
    ddl-llm-test.cc
    ddl-model-profile-test.cc
    ddl-nic-bytes-test.cc
    ddl-overlap-test.cc
    ddl-rank-plan-test.cc
    ddl-regression-forest-test.cc
    ddl-search-algorithm-test.cc
    ddl-task-graph-lanes-test.cc
    ddl-task-graph-test.cc
    ddl-trace-cojobs-test.cc
    ddl-trace-format-test.cc)

# model/placement
set(ddl_placement
    ddl-affinity-graph
    ddl-buddy-cell-placement-policy.cc
    ddl-cassini-circle
    ddl-cassini-placement-scorer.cc
    ddl-container-packing
    ddl-dally-placement-policy.cc
    ddl-delay-tuner
    ddl-fgd-placement-policy.cc
    ddl-first-fit-placement-policy
    ddl-fragmentation
    ddl-gandiva-placement-policy.cc
    ddl-grouping-genetic
    ddl-job-traffic
    ddl-least-allocated-placement-policy.cc
    ddl-list-scheduling-placement-policy.cc
    ddl-liquid-placement-policies.cc
    ddl-lwf-placement-policy.cc
    ddl-place-all
    ddl-placement-helpers
    ddl-placement-policy
    ddl-placement-scorer
    ddl-random-placement-policy.cc
    ddl-server-permutation
    ddl-share-placement-policies.cc
    ddl-tier-fit
    ddl-time-shifts
    ddl-tiresias-placement-policy.cc
    ddl-wait-history)
set(ddl_placement_tests
    ddl-affinity-graph-test.cc
    ddl-cassini-circle-test.cc
    ddl-container-packing-test.cc
    ddl-dally-placement-test.cc
    ddl-delay-tuner-test.cc
    ddl-fgd-placement-test.cc
    ddl-gandiva-placement-test.cc
    ddl-liquid-best-fit-test.cc
    ddl-liquid-placement-test.cc
    ddl-load-placement-test.cc
    ddl-place-all-test.cc
    ddl-placement-policy-test.cc
    ddl-placement-scorer-test.cc
    ddl-servers-test.cc
    ddl-tier-reference-test.cc
    ddl-time-shifts-test.cc
    ddl-tiresias-placement-test.cc
    ddl-wait-history-test.cc)

# model/scheduling/network
set(ddl_scheduling_network
    ddl-baraat-network-scheduler.cc
    ddl-crux-network-scheduler.cc
    ddl-dual-bound
    ddl-fair-share-network-scheduler
    ddl-fixed-order-network-scheduler.cc
    ddl-grouper-immediate-network-scheduler.cc
    ddl-grouper-network-scheduler
    ddl-grouper-offline-network-scheduler.cc
    ddl-least-congested-paths
    ddl-link-contention
    ddl-max-k-cut
    ddl-network-scheduler
    ddl-ordered-completion
    ddl-pias-network-scheduler.cc
    ddl-primal-dual-order
    ddl-scheduler-view.h
    ddl-sebf-network-scheduler
    ddl-sincronia-network-scheduler.cc
    ddl-sptf-network-scheduler.cc
    ddl-unit-order)

# model/scheduling/gates
set(ddl_scheduling_gates
    ddl-ada-dual-communication-gate.cc
    ddl-cassini-communication-gate.cc
    ddl-communication-gate
    ddl-contention-model
    ddl-none-communication-gate
    ddl-srsf-n-communication-gate.cc)

# model/scheduling/control
set(ddl_scheduling_control
    ddl-agent
    ddl-control-end.h
    ddl-control-message
    ddl-control-plane
    ddl-control-planes.cc
    ddl-coordinator
    ddl-end-of-instant.h
    ddl-gate-keeper
    ddl-job-record
    ddl-live-jobs
    ddl-network-map.h
    ddl-path-book
    ddl-priority-book
    ddl-run-leader
    ddl-trace-records.h
    ddl-waiting-queue)

# model/scheduling/rounds
set(ddl_scheduling_rounds
    ddl-gang-round-schedulers.cc
    ddl-gpu-grouping
    ddl-hare-round-scheduler.cc
    ddl-hlas-round-scheduler
    ddl-loss-fit
    ddl-min-cost-matching
    ddl-round-ledger
    ddl-round-scheduler
    ddl-sched-allox-round-scheduler.cc)

# model/scheduling/jobs
set(ddl_scheduling_jobs
    ddl-2d-las-job-queue-policy.cc
    ddl-fifo-job-queue-policy
    ddl-gavel-job-queue-policy.cc
    ddl-job-queue-policy
    ddl-leasing-job-queue-policy
    ddl-max-min-share
    ddl-nw-sens-job-queue-policy.cc
    ddl-srsf-job-queue-policy.cc
    ddl-srtf-job-queue-policy.cc
    ddl-themis-job-queue-policy.cc)

# model/scheduling/offers
set(ddl_scheduling_offers
    ddl-check-workload
    ddl-cluster-book
    ddl-explain-wait.cc
    ddl-gpu-pools
    ddl-gpu-sharing
    ddl-job-estimates
    ddl-job-manager
    ddl-lease-book
    ddl-lease-moves
    ddl-offer-plan
    ddl-plan-batch.cc
    ddl-plan-leases.cc
    ddl-plan-moves.cc
    ddl-plan-preemption.cc
    ddl-plan-sharing.cc
    ddl-plan-turn.cc
    ddl-round-manager
    ddl-run-traffic
    ddl-switch-cost.h)

# model/scheduling/cluster
set(ddl_scheduling_cluster
    ddl-fabric-map
    ddl-iteration-series
    ddl-job-observer
    ddl-leaps
    ddl-mean-leaps.cc
    ddl-server-failures
    ddl-training-cluster)
set(ddl_scheduling_tests
    ddl-checkpoints-test.cc
    ddl-cluster-book-test.cc
    ddl-coflow-network-schedulers-test.cc
    ddl-coflow-run-test.cc
    ddl-communication-gate-test.cc
    ddl-control-plane-test.cc
    ddl-coordinator-test.cc
    ddl-crux-network-scheduler-test.cc
    ddl-dally-test.cc
    ddl-dual-bound-test.cc
    ddl-end-of-instant-test.cc
    ddl-figure3-test.cc
    ddl-gpu-grouping-test.cc
    ddl-grouper-network-scheduler-test.cc
    ddl-in-band-test.cc
    ddl-iteration-series-test.cc
    ddl-job-manager-test.cc
    ddl-job-queue-policy-test.cc
    ddl-leasing-policies-test.cc
    ddl-link-contention-test.cc
    ddl-loss-fit-test.cc
    ddl-max-k-cut-test.cc
    ddl-max-min-share-test.cc
    ddl-min-cost-matching-test.cc
    ddl-network-scheduler-test.cc
    ddl-offer-plan-test.cc
    ddl-offers-test.cc
    ddl-path-book-test.cc
    ddl-priority-book-test.cc
    ddl-round-reference-test.cc
    ddl-round-scheduler-test.cc
    ddl-run-leader-test.cc
    ddl-scheduler-view-test.cc
    ddl-server-failures-test.cc
    ddl-sharing-rules-test.cc
    ddl-simple-network-schedulers-test.cc
    ddl-suspension-test.cc
    ddl-waiting-queue-test.cc)

# model/metrics
set(ddl_metrics
    ddl-accuracy-watch
    ddl-bound-recorder
    ddl-csv-file
    ddl-csv-writer
    ddl-graph-recorder
    ddl-metric
    ddl-path-recorder
    ddl-result-tables
    ddl-run-recorder
    ddl-run-result.h
    ddl-safe-file
    ddl-series-recorder
    ddl-stall-watch
    ddl-statistics
    ddl-summary
    ddl-timeline-recorder
    ddl-timers-watch
    ddl-trace-file)
set(ddl_metrics_tests
    ddl-accuracy-watch-test.cc
    ddl-csv-file-test.cc
    ddl-csv-writer-test.cc
    ddl-metric-test.cc
    ddl-result-tables-test.cc
    ddl-safe-file-test.cc
    ddl-statistics-test.cc
    ddl-summary-test.cc
    ddl-timers-watch-test.cc)

# helper
set(ddl_helper
    ddl-cluster-helper
    ddl-cluster-simulation
    ddl-plugin
    ddl-scenario
    ddl-scenario-reader.h)
set(ddl_helper_tests
    ddl-all-network-schedulers-test.cc
    ddl-certificate-test.cc
    ddl-cluster-helper-test.cc
    ddl-cluster-simulation-test.cc
    ddl-common-draws-test.cc
    ddl-crux-run-test.cc
    ddl-estimates-run-test.cc
    ddl-gate-run-test.cc
    ddl-gate-theorem-test.cc
    ddl-generator-test.cc
    ddl-graph-metrics-test.cc
    ddl-graph-run-test.cc
    ddl-gpu-sharing-run-test.cc
    ddl-input-phase-run-test.cc
    ddl-isolated-jobs-test.cc
    ddl-list-schedule-test.cc
    ddl-mixed-machines-test.cc
    ddl-leaps-test.cc
    ddl-leasing-run-test.cc
    ddl-leasing-stress-test.cc
    ddl-one-port-run-test.cc
    ddl-overlap-run-test.cc
    ddl-paths-run-test.cc
    ddl-run-end-test.cc
    ddl-scale-test.cc
    ddl-scale-up-run-test.cc
    ddl-series-test.cc
    ddl-server-gpus-run-test.cc
    ddl-sharing-rules-run-test.cc
    ddl-server-switch-test.cc
    ddl-task-jobs-test.cc
    ddl-timeline-test.cc
    ddl-trace-replay-test.cc
    ddl-training-job-test.cc)

# app/text
set(ddl_app_text
    ddl-arguments
    ddl-complaints.h
    ddl-markdown
    ddl-ns3-options
    ddl-progress
    ddl-text-file
    ddl-text-table)

# app/process
set(ddl_app_process
    ddl-child-process
    ddl-folder
    ddl-process-pool
    ddl-program
    ddl-signal-watch.h
    ddl-timed-answer)

# app/json
set(ddl_app_json
    ddl-json-document
    ddl-json-policy
    ddl-json-reader
    ddl-json-text
    ddl-keys)

# app/scenario
set(ddl_app_scenario
    ddl-alone-scenario
    ddl-cluster-keys.cc
    ddl-graph-keys.cc
    ddl-home
    ddl-job-keys
    ddl-layer-keys.cc
    ddl-scenario-document
    ddl-scenario-keys
    ddl-scenario-reader.cc
    ddl-scenario-writer
    ddl-scheduling-keys.cc
    ddl-source-keys.cc
    ddl-workload-keys.cc)

# app/results
set(ddl_app_results
    ddl-comparison-file
    ddl-csv-table
    ddl-result-set
    ddl-run-summary
    ddl-sweep
    ddl-table-documents)

# app/plot
set(ddl_app_plot
    ddl-bars-figure.cc
    ddl-cdf-figure.cc
    ddl-chart
    ddl-figure
    ddl-gantt-figure.cc
    ddl-gnuplot
    ddl-gnuplot-chart
    ddl-load-sweep-figure.cc
    ddl-network-figure.cc
    ddl-ports-figure.cc
    ddl-run-figures.cc
    ddl-series-figures.cc
    ddl-step-figure
    ddl-timers-figure.cc)

# app/graph
set(ddl_app_graph
    ddl-graph-chart
    ddl-graph-report)

# app/topology
set(ddl_app_topology
    ddl-topology-report)

# app/page
set(ddl_app_page
    ddl-html
    ddl-page
    ddl-page-files.h
    ddl-report-model
    ddl-thin-chart)

# app/sampling
set(ddl_app_sampling
    ddl-draws.h
    ddl-forecast
    ddl-forecast-survey
    ddl-forecast-trial
    ddl-pace-control
    ddl-sample
    ddl-sample-planner
    ddl-sample-source
    ddl-sample-store
    ddl-sampled-model
    ddl-sampled-run
    ddl-situation-watch
    ddl-window-statistics
    ddl-workload-sample)

# app/run
set(ddl_app_run
    ddl-alone-runs
    ddl-check-scenario
    ddl-idle-settings
    ddl-result-report
    ddl-run-identity
    ddl-run-once
    ddl-run-scenario)

# app/engines
set(ddl_app_engines
    ddl-batch
    ddl-batch-engine
    ddl-command-answer
    ddl-engine
    ddl-gnu-parallel
    ddl-slurm
    ddl-study-plan
    ddl-study-state
    ddl-task-packing
    ddl-task-script)

# app/compare
set(ddl_app_compare
    ddl-comparison
    ddl-run-forecast
    ddl-seed-rule
    ddl-variation)

# app/reproduce
set(ddl_app_reproduce
    ddl-figure-outcome
    ddl-figure-report
    ddl-menus
    ddl-outcome-text
    ddl-paper
    ddl-published-marks
    ddl-reproduce-forecast
    ddl-reproduce-report
    ddl-reproduction)

# app/report
set(ddl_app_report
    ddl-report-command
    ddl-run-report)
set(ddl_app_tests
    ddl-alone-runs-test.cc
    ddl-arguments-test.cc
    ddl-child-process-test.cc
    ddl-compare-options-test.cc
    ddl-compare-test.cc
    ddl-csv-table-test.cc
    ddl-engines-test.cc
    ddl-figure-outcome-test.cc
    ddl-figures-test.cc
    ddl-folder-test.cc
    ddl-forecast-test.cc
    ddl-gnuplot-test.cc
    ddl-graph-keys-test.cc
    ddl-home-test.cc
    ddl-json-document-test.cc
    ddl-json-reader-test.cc
    ddl-layer-keys-test.cc
    ddl-machines-test.cc
    ddl-network-figure-test.cc
    ddl-page-test.cc
    ddl-paper-figure-test.cc
    ddl-policy-json-test.cc
    ddl-policy-spec-test.cc
    ddl-progress-test.cc
    ddl-quantity-test.cc
    ddl-report-test.cc
    ddl-result-set-test.cc
    ddl-run-identity-test.cc
    ddl-run-scenario-test.cc
    ddl-sample-planner-test.cc
    ddl-sampled-model-test.cc
    ddl-sampled-run-test.cc
    ddl-scenario-document-test.cc
    ddl-scenario-parts-test.cc
    ddl-scenario-reader-test.cc
    ddl-scenario-writer-test.cc
    ddl-seed-rule-test.cc
    ddl-sprayed-jobs-test.cc
    ddl-sweep-test.cc
    ddl-text-file-test.cc
    ddl-text-table-test.cc
    ddl-timed-answer-test.cc
    ddl-variation-test.cc
    ddl-window-statistics-test.cc
    ddl-workload-sample-test.cc
    ddl-wrong-types-test.cc)

set(ddl_programs
    ddl-check
    ddl-compare
    ddl-graph
    ddl-list
    ddl-plot
    ddl-report
    ddl-reproduce
    ddl-run
    ddl-topology)
set(ddl_examples
    ddl-fluid-rates
    ddl-one-cojob
    ddl-one-job
    ddl-priority-vs-wrr
    ddl-results
    ddl-ring
    ddl-scheduler-trace
    ddl-unequal-racks)
