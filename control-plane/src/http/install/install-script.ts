import { PACKAGES_SCRIPT } from './install-packages.ts'

/** host:port that is safe in a script without quoting. */
const ADDRESS = /^[A-Za-z0-9.-]+(:\d{1,5})?$|^\[[0-9A-Fa-f:.]+\](:\d{1,5})?$/

/**
 * A script that turns a Debian machine into a node: it installs what an agent needs, downloads
 * agent and runtime over the connection pinned by the person who ran it, enrols with the token and
 * starts the agent. Undefined if the address is invalid.
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
${PACKAGES_SCRIPT}install_packages || fail "Docker is missing and could not be installed: apt-get install docker.io, then paste this line again"

fetch() {
  curl --fail --silent --show-error --http1.1 --insecure --pinnedpubkey "$pin" \\
    --connect-timeout 15 --speed-limit 1000 --speed-time 60 --output "$2" "https://@ADDRESS@/agent/$1"
}
# Download everything before switching. $prefix is a link to one of the versions, which an update
# replaces at once; the previous version stays.
versions=$prefix.versions
new=$versions/new
trap 'rm -rf "$new"' EXIT
rm -rf "$new"
mkdir -p "$new/bin"
mkdir -p -m 0711 "$state"
fetch "files-linux-$arch" "$new/files" || fail "The control plane has no agent to hand out for $arch: build it there, then run this again"
while read -r _ file; do
  mkdir -p "$new/$(dirname "$file")"
  fetch "file/$file" "$new/$file"
done <"$new/files"
(cd "$new" && sha256sum --check --quiet --strict files) || fail "The program of the agent changed while it was downloaded: run this again"
fetch "node-linux-$arch" "$new/bin/node" || fail "The control plane has no Node for $arch to hand out: install the agent from a build made on $arch, with deploy/install-agent.sh"
chmod 0755 "$new/bin/node"
echo '{"name":"lodge","type":"module"}' >"$new/package.json"
[ -z "$token" ] || LODGE_AGENT_DATA=$state "$new/bin/node" "$new/agent/src/main.js" join "$token"
target=$versions/$(date +%s)-$$
mv "$new" "$target"
if [ -L "$prefix" ]; then previous=$(readlink "$prefix"); else
  # Earlier agents were installed in a folder.
  previous=$versions/earlier
  [ ! -e "$prefix" ] || { rm -rf "$previous"; mv "$prefix" "$previous"; }
fi
ln -s "$target" "$prefix.next.$$"
mv -T "$prefix.next.$$" "$prefix"
for version in "$versions"/*; do
  case "$version" in "$target" | "$previous") ;; *) rm -rf "$version" ;; esac
done

if [ -d /run/systemd/system ]; then
  mkdir -p /etc/lodge
  [ -e /etc/lodge/agent.env ] || (
    umask 077
    cat >/etc/lodge/agent.env <<SETTINGS
# Settings of the agent of this node, for example the shared storages that are mounted here. Restart
# it after a change: systemctl restart lodge-agent
#LODGE_AGENT_SHARED_STORAGES=fast=/mnt/fast
SETTINGS
  )
  systemctl enable --now docker >/dev/null 2>&1 || true
  cat >/etc/systemd/system/lodge-agent.service <<UNIT
[Unit]
Description=Lodge agent: runs servers on this node
After=network-online.target remote-fs.target docker.service
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
  echo "The agent is running: systemctl status lodge-agent"
else
  echo "Joined. Start the agent with: LODGE_AGENT_DATA=$state $prefix/bin/node $prefix/agent/src/main.js run"
fi
`
