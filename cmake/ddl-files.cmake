# SPDX-License-Identifier: GPL-2.0-only
# Every file of the module, room by room, in the order of the rooms (doc/source-map.md).
# Plain names below the folder named in the comment; nothing is globbed.

# model/common
set(ddl_common_headers ddl-error.h ddl-ids.h ddl-policy.h ddl-priority.h)
set(ddl_common_sources ddl-error.cc ddl-policy.cc)
set(ddl_common_tests ddl-error-test.cc ddl-policy-test.cc ddl-priority-test.cc)

# model/fabric
set(ddl_fabric_headers)
set(ddl_fabric_sources)
set(ddl_fabric_tests)

# model/transport
set(ddl_transport_headers)
set(ddl_transport_sources)
set(ddl_transport_tests)

# model/cluster
set(ddl_cluster_headers)
set(ddl_cluster_sources)
set(ddl_cluster_tests)

# model/workload
set(ddl_workload_headers)
set(ddl_workload_sources)
set(ddl_workload_tests)

# model/placement
set(ddl_placement_headers)
set(ddl_placement_sources)
set(ddl_placement_tests)

# model/scheduling
set(ddl_scheduling_headers)
set(ddl_scheduling_sources)
set(ddl_scheduling_tests)

# model/metrics
set(ddl_metrics_headers ddl-statistics.h)
set(ddl_metrics_sources ddl-statistics.cc)
set(ddl_metrics_tests ddl-statistics-test.cc)

# helper
set(ddl_helper_headers ddl-arguments.h ddl-csv-table.h ddl-program.h ddl-text-table.h)
set(ddl_helper_sources ddl-arguments.cc ddl-csv-table.cc ddl-program.cc ddl-text-table.cc)
set(ddl_helper_tests ddl-arguments-test.cc ddl-csv-table-test.cc ddl-text-table-test.cc)

# programs (one executable each) and examples
set(ddl_programs)
set(ddl_examples)
