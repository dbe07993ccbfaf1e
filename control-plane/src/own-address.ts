import os from 'node:os'

/** The first address other machines can reach, or the loopback one. */
export function ownAddress(): string {
  const addresses = Object.entries(os.networkInterfaces())
    .filter(([name]) => !/^(docker|br-|veth|virbr|lodge)/.test(name))
    .flatMap(([, list]) => list ?? [])
  return addresses.find((one) => one.family === 'IPv4' && !one.internal)?.address ?? '127.0.0.1'
}
