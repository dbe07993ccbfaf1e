import { addressSet, isAddress, plainAddress } from '@lodge/shared/addresses.ts'
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller's address in canonical form. */
    address: string
  }
}

/**
 * The client behind a connection: the nearest address that is not a trusted proxy. Entries further
 * left in `X-Forwarded-For` can be forged by the client, and invalid ones are ignored.
 * @param trusted whether an address is a configured proxy
 */
export function clientAddress(
  remote: string,
  forwardedFor: string | readonly string[] | undefined,
  trusted: (address: string) => boolean,
): string {
  const hops = String(forwardedFor ?? '')
    .split(',')
    .map((hop) => hop.trim())
  let nearest = remote
  for (const hop of hops.reverse()) {
    if (!trusted(nearest) || !isAddress(hop)) break
    nearest = hop
  }
  return plainAddress(nearest)
}

/** Sets the client address of every request before anything else reads it. */
export function setClientAddresses(app: FastifyInstance, trustedProxies: readonly string[]): void {
  const trusted = addressSet(trustedProxies)
  app.decorateRequest('address', '')
  app.addHook('onRequest', async (request) => {
    const { headers, socket } = request
    request.address = clientAddress(socket.remoteAddress ?? '', headers['x-forwarded-for'], trusted)
  })
}
