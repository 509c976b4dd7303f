# What .ci/run and .ci/full share.

step() { printf '\n== %s (after %d s)\n' "$1" "$SECONDS"; }

# Runs commands at once, and shows what the failing ones wrote.
at_once() {
  local command log pid failed=0 jobs=()
  for command; do
    log=$(mktemp)
    bash -euo pipefail -c "$command" >"$log" 2>&1 &
    jobs+=("$! $log $command")
  done
  for command in "${jobs[@]}"; do
    read -r pid log command <<<"$command"
    if wait "$pid"; then
      printf 'passed: %s\n' "$command"
    else
      cat "$log"
      printf 'failed: %s\n' "$command"
      failed=1
    fi
    rm -f "$log"
  done
  return "$failed"
}

# Installs what the folders of packages and apps need, unless all of it is there.
install_packages() { node scripts/prepare.mjs packages; }

# Installs Debian packages. Debian asks policy-rc.d whether a new package may start its service: none may.
install_programs() (
  policy=/usr/sbin/policy-rc.d
  if [ ! -e "$policy" ]; then
    trap 'rm -f "$policy"' EXIT
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod +x "$policy"
  fi
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
)

# Whether a Node is there that the project runs on.
is_node_new_enough() {
  command -v npm >/dev/null &&
    node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)'
}

# Installs Node where there is none that the project runs on.
install_node() {
  if ! is_node_new_enough; then
    step 'install Node'
    command -v npm >/dev/null || { apt-get update -qq && apt-get install -y -qq nodejs npm; }
    npm install --global --silent node@24
    hash -r
  fi
  node --version
}

# Goes to a clone in which nothing is installed or built, until the shell ends. Changes that are not committed are in it too.
make_bare_clone() {
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  git clone -q . "$scratch/portolan"
  git diff --binary HEAD >"$scratch/changes"
  git ls-files -z --others --exclude-standard | xargs -0r cp --parents -t "$scratch/portolan"
  cd "$scratch/portolan"
  [ ! -s ../changes ] || git apply ../changes
}

# Installs the programs that tests run, and lists those that were missing in `installed`. With CI set, tests whose program is
# missing fail instead of being skipped.
install_programs_of_tests() {
  export CI=1 PATH="$PATH:/usr/sbin"
  local program
  installed=()
  for program in nginx caddy redis-server; do
    command -v "$program" >/dev/null || installed+=("$program")
  done
  if [ ${#installed[@]} -gt 0 ] && command -v apt-get >/dev/null; then
    step "install ${installed[*]}"
    install_programs "${installed[@]}"
  fi
}

# All of the client package.
check_client() {
  step 'the client package: types, tests with sizes, and what it publishes'
  install_packages
  npm run --prefix packages/client --silent typecheck
  npm run --prefix packages/client --silent test
  npm run --prefix packages/client --silent check
}

# Where a package is.
folder_of() { if [ -d "packages/$1" ]; then echo "packages/$1"; else echo "apps/$1"; fi; }

# Some of the packages client, export and hooks, without their slowest tests. They are tested at once, since their tests mostly wait
# for other processes.
check_programs() {
  declare -A slow=([client]='{storm,eventStream}' [export]='{away,disk,kill,lock}' [hooks]='{storm,program}')
  step "types and tests of $*"
  install_packages
  local name folder project tests=()
  for name; do
    # Export and hooks compile the client, which is there once the first has done it.
    folder=$(folder_of "$name")
    npm run --prefix "$folder" --silent typecheck
    project=$([ "$name" = client ] && echo '--project plain' || true)
    tests+=("cd $folder && npx vitest run $project --exclude 'test/${slow[$name]}.test.ts'")
  done
  at_once "${tests[@]}"
}

check_explorer() {
  step 'the explorer: build, generated types, types and tests'
  install_packages
  at_once 'npm run --prefix apps/explorer --silent build' \
    'npm run --prefix apps/explorer --silent generate && git diff --exit-code apps/explorer/src/generated'
  at_once 'npm run --prefix apps/explorer --silent typecheck' \
    'npm run --prefix apps/explorer --silent test'
}

check_docs() {
  step 'the docs: build, and that all links and programs are right'
  # Their programs use both packages as they are published.
  install_packages
  npx tsc -b
  npm run --prefix packages/client --silent build
  npm run --prefix apps/docs --silent build
  npm run --prefix apps/docs --silent check
}
