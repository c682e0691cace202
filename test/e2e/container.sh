#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# The Containerfile: built and run where a builder works; anywhere else on Debian, its packages exist,
# have all libraries that the programs load, and are those with which ./ddl builds.
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"

file=$DDL_HOME/Containerfile
for builder in podman docker; do
    if command -v "$builder" >/dev/null && "$builder" info >/dev/null 2>&1; then
        expect_status 0 "$builder" build -t ddl-test -f "$file" "$DDL_HOME"
        expect_status 0 "$builder" run --rm ddl-test check quickstart --quiet
        finish
        exit
    fi
done
command -v apt-cache >/dev/null || { echo "skipped: neither podman nor docker, and no Debian"; exit 77; }

# packages STAGE: the names that its apt-get installs
packages() {
    awk -v wanted="$1" '/^FROM/ { stage += 1 }
        stage == wanted && /apt-get install/ { on = 1; sub(/.*--no-install-recommends/, "") }
        on { line = $0; if (line ~ /&&/) on = 0; sub(/&&.*/, "", line); gsub(/\\/, "", line); printf "%s ", line }' "$file"
}
read -ra build <<<"$(packages 1)"
read -ra run <<<"$(packages 2)"
[[ ${#build[@]} -ge 5 && ${#run[@]} -ge 3 ]] || fail "the Containerfile installs no packages"
if . /etc/os-release && [[ ${VERSION_ID:-} == 12 && ${ID:-} == debian ]]; then
    for package in "${build[@]}" "${run[@]}"; do
        [[ -n $(apt-cache show --no-all-versions "$package" 2>/dev/null) ]] || fail "Debian has no $package"
    done
    # what the programs load comes with the packages, and with what these need
    needed=$(apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks \
        --no-replaces --no-enhances "${run[@]}" libc6 libgcc-s1 libstdc++6 | grep '^[a-z]')
    while read -r library; do
        owner=$(dpkg -S "$library" 2>/dev/null || dpkg -S "${library#/usr}" 2>/dev/null)
        [[ -n $owner ]] || continue # our own
        grep -qxF "${owner%%:*}" <<<"$needed" || fail "${owner%%:*} is missing, with $library"
    done < <(ldd "$DDL_BUILD"/ddl-{run,compare,reproduce,report,plot,list,check} | awk '/=> \// { print $3 }' |
        sort -u | xargs -n 1 readlink -f)
fi

# the packages with which ./ddl builds, but for the compiler's cache; and what is copied is there
wanted=$(sed -n '/^run_packages=(/,/^)/p' "$DDL_HOME/ddl" | tr -s ' \n' '\n' | grep -vE '^(run_packages=\(|\)|ccache|gnuplot-nox|ninja-build)?$' | sort)
given=$(printf '%s\n' "${build[@]}" | grep -vx ninja-build | sort)
[[ $wanted == "$given" ]] || fail "not the packages of ./ddl: $(diff <(echo "$wanted") <(echo "$given"))"
grep -q '^gnuplot-nox$' <(printf '%s\n' "${run[@]}") || fail "no gnuplot for the pictures"
while read -r instruction; do
    case ${instruction%% *} in
    FROM | RUN | COPY | ENV | ENTRYPOINT) ;;
    *) fail "unknown instruction: $instruction" ;;
    esac
done < <(awk '!more && !/^#/ && NF { print } { more = /\\$/ || (more && /^#/) }' "$file")
finish
