#!/usr/bin/env bash
# Makes this machine a node, or updates its agent, from a built dist/ folder. Run as root:
#   npm run build && deploy/install-agent.sh <join token>
# Without a token it only updates; servers keep running.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=deploy/install-common.sh
source "$here/install-common.sh"

join_token=${1:-}
state=/var/lib/lodge-agent

require_root
# shellcheck source=/dev/null
source "$dist/packages.sh"
install_packages || fail "Docker is missing and could not be installed: apt-get install docker.io, then run this again"
systemctl enable --now docker

install_program
install -d -m 0755 /etc/lodge
[[ -e /etc/lodge/agent.env ]] || install -m 0600 "$here/agent.env" /etc/lodge/agent.env
install -d -m 0711 "$state"
if [[ -n $join_token ]]; then
  LODGE_AGENT_DATA=$state "$prefix/bin/node" "$prefix/agent/src/main.js" join "$join_token"
fi
install_unit lodge-agent
echo "The agent is running: systemctl status lodge-agent"
