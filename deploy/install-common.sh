# Shared by both installers; not run on its own.
# shellcheck shell=bash disable=SC2154
prefix=/opt/lodge
dist=${LODGE_DIST:-$here/../dist}

fail() {
  echo "$1" >&2
  exit 1
}

require_root() {
  [[ $(id -u) -eq 0 ]] || fail "This script must run as root"
  [[ -d /run/systemd/system ]] || fail "This script requires systemd"
  [[ -e $dist/package.json ]] || fail "There is no build in $dist: run npm run build first"
}

# Replaces the program by renaming, and keeps the old version for a rollback.
install_program() {
  rm -rf "$prefix.new"
  cp -a "$dist" "$prefix.new"
  cp -a "$here" "$prefix.new/deploy"
  chown -R root:root "$prefix.new"
  rm -rf "$prefix.old"
  if [[ -e $prefix ]]; then mv "$prefix" "$prefix.old"; fi
  mv "$prefix.new" "$prefix"
}

install_unit() {
  install -m 0644 "$here/systemd/$1.service" "/etc/systemd/system/$1.service"
  systemctl daemon-reload
  systemctl enable "$1"
  systemctl restart "$1"
}
