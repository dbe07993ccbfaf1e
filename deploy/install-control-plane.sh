#!/usr/bin/env bash
# Installs or updates the control plane on this machine from a built dist/ folder. Run as root:
#   npm run build && deploy/install-control-plane.sh
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=deploy/install-common.sh
source "$here/install-common.sh"

require_root
# Backups of the panel are made by restic.
command -v restic >/dev/null || apt-get install -y --no-install-recommends restic ca-certificates ||
  echo "restic could not be installed: the panel makes no backups of itself without it" >&2
install_program
getent passwd lodge >/dev/null || useradd --system --home-dir /var/lib/lodge --shell /usr/sbin/nologin lodge
install -d -m 0755 /etc/lodge
[[ -e /etc/lodge/control-plane.env ]] ||
  install -m 0640 -g lodge "$here/control-plane.env" /etc/lodge/control-plane.env
install_unit lodge-control-plane
echo "The control plane is running: systemctl status lodge-control-plane"
