import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * Answers a request for a page that a domain serves itself, outside the panel. Undefined: there is
 * nothing, and the panel answers as for any other address.
 */
export type ServedPage = (
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<FastifyReply | undefined>

/** Pages by their addresses, as in `served` of `shared/src/panel-paths.ts`. */
export type ServedPages = Readonly<Record<string, ServedPage>>
