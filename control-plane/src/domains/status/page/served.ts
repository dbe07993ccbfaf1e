import { served } from '@lodge/shared/panel-paths.ts'
import type { Language } from '@lodge/shared/words/languages.ts'
import type { FastifyRequest } from 'fastify'
import { pageLanguage } from '../../../http/page-language.ts'
import type { ServedPage, ServedPages } from '../../../http/served-page.ts'
import type { Services } from '../../../services.ts'
import { feedOf } from './feed.ts'
import type { PageHtml } from './frame.ts'
import { type Board, currentBoard } from './kept.ts'
import { entryPage, formPage, historyPage, readerOfBoard, statusPage } from './pages.ts'
import { preparePage, type Sent, sendPrepared } from './send.ts'

/** A board older than this is shown with a note. */
const OLD_MS = 180_000
const HTML = 'text/html; charset=utf-8'
/** Longer than any token in a link. */
const MAX_TOKEN = 200

/** The public pages; there are none while the status page is off. */
export const statusPages = (services: Services): ServedPages => ({
  [served.statusPage]: kept(services, (board, language) => {
    const isOld = Date.now() - Date.parse(board.status.asOf) > OLD_MS
    return [isOld ? 'old' : 'new', () => statusPage(board, language, isOld)]
  }),
  [served.statusHistory]: kept(services, (board, language) => [
    'history',
    () => historyPage(board, language),
  ]),
  [served.statusEntry]: kept(services, (board, language, request) => {
    const { id } = request.params as { id: string }
    return [`entry ${id}`, () => entryPage(board, language, id)]
  }),
  [served.statusFeed]: async (request, reply) => {
    const board = await currentBoard(services)
    if (!board) return undefined
    const language = pageLanguage(request)
    const feed = await once(
      board,
      `${language} feed`,
      () => {
        const { reader, title } = readerOfBoard(board, language)
        return {
          text: feedOf({ ...board.status, title }, reader, services.panelUrl),
          contentSecurityPolicy: "default-src 'none'",
        }
      },
      'application/atom+xml; charset=utf-8',
    )
    return feed && sendPrepared(request, reply, feed)
  },
  [served.statusConfirm]: form(services, 'confirm'),
  [served.statusUnsubscribe]: form(services, 'leave'),
})

const fieldOf = ({ query }: FastifyRequest, name: string): string => {
  const value = (query as Readonly<Record<string, unknown>>)[name]
  return typeof value === 'string' ? value.slice(0, MAX_TOKEN) : ''
}

/** A page that is the same for all readers of a language: rendered once for each board. */
function kept(
  services: Services,
  pageOf: (
    board: Board,
    language: Language,
    request: FastifyRequest,
  ) => [string, () => PageHtml | undefined],
): ServedPage {
  return async (request, reply) => {
    const board = await currentBoard(services)
    if (!board) return undefined
    const language = pageLanguage(request)
    const [key, render] = pageOf(board, language, request)
    const sent = await once(board, `${language} ${key}`, render, HTML)
    return sent && sendPrepared(request, reply, sent)
  }
}

/** Missing pages are not cached: anybody can request any address. */
async function once(
  { rendered }: Board,
  key: string,
  make: () => PageHtml | undefined,
  type: string,
): Promise<Sent | undefined> {
  const present = rendered.get(key)
  if (present !== undefined) return present
  const page = make()
  if (!page) return undefined
  const sent = preparePage(page.text, type, page.contentSecurityPolicy)
  rendered.set(key, sent)
  return sent
}

/** The page behind a mailed link, for one person only. */
const form =
  (services: Services, kind: 'confirm' | 'leave'): ServedPage =>
  async (request, reply) => {
    const board = await currentBoard(services)
    if (!board) return undefined
    const { text, contentSecurityPolicy } = formPage(
      board,
      pageLanguage(request),
      kind,
      fieldOf(request, 'token'),
    )
    return reply
      .headers({ 'cache-control': 'no-store', 'content-security-policy': contentSecurityPolicy })
      .type(HTML)
      .send(text)
  }
