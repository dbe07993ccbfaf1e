import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { User } from '../actor.ts'
import type { Authenticator } from '../http/authenticate.ts'
import type { OwnApi } from '../services.ts'

/**
 * Lets parts of this process call the API as somebody. Each request has a ticket that only this process knows and
 * that ends with it; everything else about it is checked like any other.
 */
export function ownApiBeside(others: Authenticator): {
  readonly authenticator: Authenticator
  callsOf(app: FastifyInstance): OwnApi
} {
  const tickets = new Map<string, User>()
  return {
    authenticator: {
      ...others,
      token: async (secret, address) => tickets.get(secret) ?? others.token(secret, address),
    },
    callsOf:
      (app) =>
      async (actor, { method, path, body, key }) => {
        const ticket = randomBytes(32).toString('base64url')
        tickets.set(ticket, actor)
        try {
          const { statusCode, payload } = await app.inject({
            ...{ method, url: path },
            headers: {
              authorization: `Bearer ${ticket}`,
              ...(key !== undefined && { 'idempotency-key': key }),
              ...(body !== undefined && { 'content-type': 'application/json' }),
            },
            ...(body !== undefined && { payload: JSON.stringify(body) }),
          })
          return { status: statusCode, text: payload }
        } finally {
          tickets.delete(ticket)
        }
      },
  }
}
