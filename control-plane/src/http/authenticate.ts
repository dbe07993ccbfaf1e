import type { FastifyRequest } from 'fastify'
import type { Actor, Agent, User } from '../actor.ts'
import { Problem } from '../problem.ts'

/** Resolves credentials to callers; implemented by the domains that own them. */
export interface Authenticator {
  /** The user of a session cookie; undefined when the session is unknown, ended or expired. */
  session(token: string, address: string): Promise<User | undefined>
  /** The administrator on whose behalf an API token acts. */
  token(secret: string, address: string): Promise<User | undefined>
  /** Whether a node's credential is valid. */
  node(nodeId: string, credential: string): Promise<boolean>
}

export const SESSION_COOKIE = 'panel_session'

/**
 * Identifies the caller. A bearer token takes precedence over a cookie, and an invalid one never
 * falls back to it, so that a token cannot inherit a browser's privileges.
 */
export async function authenticate(request: FastifyRequest, by: Authenticator): Promise<Actor> {
  const address = request.address
  const { authorization } = request.headers
  if (authorization !== undefined) return bearer(authorization, request, by)
  const token = request.cookies[SESSION_COOKIE]
  const user = token ? await by.session(token, address) : undefined
  return user ?? { kind: 'anyone', address }
}

async function bearer(
  header: string,
  request: FastifyRequest,
  by: Authenticator,
): Promise<Agent | User> {
  const credential = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(header)?.[1]
  const nodeId = request.headers['x-node-id']
  if (credential && typeof nodeId === 'string') {
    if (await by.node(nodeId, credential)) return { kind: 'agent', nodeId }
    throw new Problem(
      'node_credential_invalid',
      'The node credential is not valid: enrol the node again',
    )
  }
  const user = credential && (await by.token(credential, request.address))
  if (user) return user
  throw new Problem(
    'token_invalid',
    'This API token does not work: it was revoked or has expired. Create another one',
  )
}
