import ipaddr from 'ipaddr.js'

/**
 * Whether an address is one of the public internet. Private, local, reserved and mapped ones are not:
 * behind them are our own machines and the metadata services of clouds.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  return ipaddr.process(address).range() === 'unicast'
}
