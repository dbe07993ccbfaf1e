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
 * Answers a request for a page that a domain serves itself, outside the panel, or gives the panel's page
 * a text. Undefined: there is nothing, and the panel answers as for any other address.
 */
export type ServedPage = (
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<FastifyReply | PageText | undefined>

/** Pages by their addresses, as in `paths` and `served` of `shared/src/panel-paths.ts`. */
export type ServedPages = Readonly<Record<string, ServedPage>>
