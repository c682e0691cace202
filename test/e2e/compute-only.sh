#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# The 160 jobs of Ada-SRSF, unscaled, on one GPU each, so that nothing is sent: times are those of the paper's
# Table III, forward and backward pass together, times the iterations. Where GPUs are shared jobs take longer, and the
# GPUs are busy for the same time.
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"

for placement in lwf first-fit random; do
    expect_status 0 "$DDL_BUILD/ddl-run" ada-srsf-160 --quiet --set=scale.model=1 --set=scale.iterations=1 \
        '--set=workload.generator.sizes=[[1,160]]' --set=output.alone=false \
        --set=scheduler.placement=$placement --out="$scratch/$placement"
    # columns of jobs.csv by name; utilisation and makespan of summary.json: busy GPU time = the jobs' own
    share=$(sed -n 's/.*"gpu_utilisation": *\([0-9.e-]*\).*/\1/p' "$scratch/$placement/summary.json" | head -n 1)
    makespan=$(sed -n 's/.*"makespan_s": *\([0-9.e-]*\).*/\1/p' "$scratch/$placement/summary.json" | head -n 1)
    awk -F, -v busy="$share" -v makespan="$makespan" -v alone=$([[ $placement == lwf ]] && echo 1 || echo 0) '
        BEGIN { time["VGG-16"] = 0.0895; time["ResNet-50"] = 0.0624; time["Inception-V3"] = 0.0873; time["LSTM-PTB"] = 0.0788 }
        NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i; next }
        { jobs += 1; want = $at["iterations"] * time[$at["model"]]; sum += want; gap = $at["compute_s"] - want
          if ((alone && gap > 1e-6) || gap < -1e-6 || $at["bytes"] != 0) bad = $1 }
        END { gap = busy * makespan * 64 / sum - 1
              printf "%d jobs, %.3f s of computation, GPUs busy for %.3f s\n", jobs, sum, busy * makespan * 64
              if (bad) printf "job %d is wrong\n", bad
              exit bad != "" || jobs != 160 || gap > 1e-6 || gap < -1e-6 }' "$scratch/$placement/jobs.csv" ||
        fail "$placement: jobs do not take what Table III says"
done
finish
