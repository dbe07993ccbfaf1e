/**
 * Shell functions that install what an agent needs on Debian. `install_packages` installs only
 * missing packages, so a complete machine needs no mirror; every download has a timeout; missing
 * packages are reported. It fails only without Docker, since nothing could run. For sh and bash
 * under `set -eu`; deploy/install-agent.sh sources them from dist/.
 */
export const PACKAGES_SCRIPT = `# A Debian package counts as installed if its program is in PATH or its file exists.
missing_packages() {
  lacks iptables iptables
  lacks nftables nft
  lacks mmdebstrap mmdebstrap
  lacks ca-certificates /etc/ssl/certs/ca-certificates.crt
  lacks zstd zstd
  lacks e2fsprogs mkfs.ext4
  lacks docker.io dockerd
  lacks restic restic
  lacks bubblewrap bwrap
  lacks libarchive-tools bsdtar
}
lacks() {
  [ -e "$2" ] || PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin command -v "$2" >/dev/null || echo "$1"
}
# apt_get <seconds, or 0 for no limit> <arguments>. stdin is closed, or it would consume the rest of a piped script.
apt_get() {
  limit=$1
  shift
  DEBIAN_FRONTEND=noninteractive timeout --kill-after=10 "$limit" apt-get -qq -o DPkg::Lock::Timeout=120 \\
    -o Acquire::Retries=1 -o Acquire::http::Timeout=15 -o Acquire::https::Timeout=15 "$@" </dev/null >/dev/null
}
# Only downloads have a time limit, so that no package is left half installed.
# shellcheck disable=SC2086
install_packages() {
  packages=$(missing_packages | tr '\\n' ' ')
  [ -n "$packages" ] || return 0
  within=\${LODGE_PACKAGES_SECONDS:-600}
  if [ -n "\${LODGE_SKIP_PACKAGES:-}" ]; then
    echo "Missing, and not installed because of LODGE_SKIP_PACKAGES: $packages" >&2
  elif ! command -v apt-get >/dev/null; then
    echo "Missing, and this system has no apt-get to install it: $packages" >&2
  else
    echo "Installing Debian packages: $packages"
    add='install -y --no-install-recommends'
    apt_get "$within" $add --download-only $packages 2>/dev/null ||
      { apt_get "$within" update && apt_get "$within" $add --download-only $packages; } ||
      echo "apt-get could not download them; each attempt ends after $within s (LODGE_PACKAGES_SECONDS)" >&2
    for package in $packages; do apt_get 0 $add --no-download "$package" || true; done
    packages=$(missing_packages | tr '\\n' ' ')
    [ -z "$packages" ] || echo "Missing still: $packages" >&2
  fi
  [ -z "$(lacks docker.io dockerd)" ]
}
`
