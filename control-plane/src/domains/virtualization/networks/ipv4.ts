/** IPv4 addresses as numbers, so that pools can be enumerated. */

export const toNumber = (address: string): number =>
  address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)

export const toAddress = (number: number): string =>
  [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.')

export interface Subnet {
  /** The first address. */
  readonly from: number
  readonly to: number
  readonly prefixLength: number
}

/** @param text such as `10.77.0.0/24`; bits beyond the prefix are ignored */
export function subnetOf(text: string): Subnet {
  const [address = '', length = ''] = text.split('/')
  const prefixLength = Number(length)
  const size = 2 ** (32 - prefixLength)
  const from = Math.floor(toNumber(address) / size) * size
  return { from, to: from + size - 1, prefixLength }
}

export const overlap = (a: Subnet, b: Subnet): boolean => a.from <= b.to && b.from <= a.to
