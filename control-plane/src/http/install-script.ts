/** host:port as it may stand in a script without quoting. */
const ADDRESS = /^[A-Za-z0-9.-]+(:\d{1,5})?$|^\[[0-9A-Fa-f:.]+\](:\d{1,5})?$/

/**
 * Makes a Debian machine a node: installs what an agent needs, fetches program and runtime over the
 * connection that was pinned by whoever ran it, joins with the token and starts the agent.
 * Undefined when the address is not one.
 */
export function installScript(address: string): string | undefined {
  if (!ADDRESS.test(address)) return undefined
  return SCRIPT.replaceAll('@ADDRESS@', address)
}

const SCRIPT = `#!/bin/sh
# Makes this machine a node of Lodge at @ADDRESS@. Run again to update the agent: servers keep running.
# usage: sh -s -- <public key pin> [join token]
set -eu
pin=\${1:?the pin of the public key is missing}
token=\${2:-}
prefix=\${LODGE_PREFIX:-/opt/lodge-agent}
state=\${LODGE_AGENT_DATA:-/var/lib/lodge-agent}

fail() { echo "$1" >&2; exit 1; }
[ "$(id -u)" = 0 ] || fail "Run this as root"
case "$(uname -m)" in
  x86_64) arch=x64 ;;
  aarch64) arch=arm64 ;;
  *) fail "There is no agent for $(uname -m)" ;;
esac
if command -v apt-get >/dev/null && [ -z "\${LODGE_SKIP_PACKAGES:-}" ]; then
  packages="iptables nftables ca-certificates zstd e2fsprogs mmdebstrap"
  command -v dockerd >/dev/null || packages="$packages docker.io"
  DEBIAN_FRONTEND=noninteractive apt-get update -qq
  # shellcheck disable=SC2086
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $packages
fi

fetch() {
  curl --fail --silent --show-error --http1.1 --insecure --pinnedpubkey "$pin" --output "$2.new" "https://@ADDRESS@/agent/$1"
  mv "$2.new" "$2"
}
mkdir -p "$prefix/bin" "$prefix/agent/src"
mkdir -p -m 0711 "$state"
fetch "node-linux-$arch" "$prefix/bin/node"
fetch program "$prefix/agent/src/main.js"
chmod 0755 "$prefix/bin/node"
echo '{"name":"lodge","type":"module"}' >"$prefix/package.json"
[ -z "$token" ] || LODGE_AGENT_DATA=$state "$prefix/bin/node" "$prefix/agent/src/main.js" join "$token"

if [ -d /run/systemd/system ]; then
  systemctl enable --now docker >/dev/null 2>&1 || true
  cat >/etc/systemd/system/lodge-agent.service <<UNIT
[Unit]
Description=Lodge agent: runs servers on this node
After=network-online.target docker.service
Wants=network-online.target docker.service
StartLimitIntervalSec=0

[Service]
ExecStart=$prefix/bin/node $prefix/agent/src/main.js run
Environment=LODGE_AGENT_DATA=$state
Environment=NODE_ENV=production
EnvironmentFile=-/etc/lodge/agent.env
Restart=always
RestartSec=1
KillMode=mixed
LimitNOFILE=65536
NoNewPrivileges=yes

[Install]
WantedBy=multi-user.target
UNIT
  systemctl daemon-reload
  systemctl enable lodge-agent
  systemctl restart lodge-agent
  echo "The agent runs: systemctl status lodge-agent"
else
  echo "Joined. Start the agent with: LODGE_AGENT_DATA=$state $prefix/bin/node $prefix/agent/src/main.js run"
fi
`
