import { addressSet, networkOf, plainAddress } from './addresses.ts'

const isLocal = addressSet(['127.0.0.0/8', '::1'])

/** How a port of SFTP tells its clients apart: by their network, and does not count those of its own machine. */
export const clientAddresses = {
  addressOf: plainAddress,
  keyOf: (address: string): string | undefined =>
    isLocal(address) ? undefined : networkOf(address),
}
