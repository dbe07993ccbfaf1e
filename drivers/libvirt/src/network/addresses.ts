/** For example 24 is 255.255.255.0. */
export function netmaskOf(prefixLength: number): string {
  return dotted((0xffffffff << (32 - prefixLength)) >>> 0)
}

/** The block that contains an address: `10.77.0.11` and 24 give `10.77.0.0/24`. */
export function blockOf(address: string, prefixLength: number): string {
  const mask = (0xffffffff << (32 - prefixLength)) >>> 0
  return `${dotted((numberOf(address) & mask) >>> 0)}/${prefixLength}`
}

/**
 * Address and prefix length of libvirt's `ip` element, as `10.77.0.1/24`; empty when it has none.
 */
export function cidrOf(ip: Readonly<Record<string, string>> | undefined): string {
  if (!ip?.address || ip.family === 'ipv6') return ''
  if (ip.prefix) return `${ip.address}/${ip.prefix}`
  if (!ip.netmask) return ''
  return `${ip.address}/${numberOf(ip.netmask).toString(2).replaceAll('0', '').length}`
}

function numberOf(address: string): number {
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
}

function dotted(number: number): string {
  return [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.')
}
