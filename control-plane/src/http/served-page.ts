import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Markup } from './html.ts'

/**
 * What the panel's page says before its code runs: to search engines, to whoever gets a link to it, and
 * to people without JavaScript.
 */
export class PageText {
  readonly title: string | undefined
  /** Elements of the head. */
  readonly head: Markup
  /** Shown without JavaScript. */
  readonly body: Markup | undefined

  constructor({ title, head, body }: { title?: string; head: Markup; body?: Markup }) {
    this.title = title
    this.head = head
    this.body = body
  }
}

/**
 * Serves a page of a domain's own, outside the panel, or returns a text for the panel's page. Undefined
 * if there is nothing at this address; the panel then answers as for any other.
 */
export type ServedPage = (
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<FastifyReply | PageText | undefined>

/** Pages by their addresses, as in `paths` and `served` of `shared/src/panel-paths.ts`. */
export type ServedPages = Readonly<Record<string, ServedPage>>
