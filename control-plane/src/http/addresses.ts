import { addressSet, isAddress, plainAddress } from '@lodge/shared/addresses.ts'
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls, in the one spelling of the address. */
    address: string
  }
}

/**
 * Who is behind a connection: the nearest address that is no trusted proxy. What stands further to the
 * left in `X-Forwarded-For` is hearsay of strangers, and what is no address tells nothing.
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

/** Gives every request the address of its caller, before anything else looks at it. */
export function tellAddresses(app: FastifyInstance, trustedProxies: readonly string[]): void {
  const trusted = addressSet(trustedProxies)
  app.decorateRequest('address', '')
  app.addHook('onRequest', async (request) => {
    const { headers, socket } = request
    request.address = clientAddress(socket.remoteAddress ?? '', headers['x-forwarded-for'], trusted)
  })
}
