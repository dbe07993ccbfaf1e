import { served } from '@lodge/shared/panel-paths.ts'
import { UPTIME_DAYS } from '@lodge/shared/status.ts'
import type { Language } from '@lodge/shared/words/languages.ts'
import { html, type Markup } from '../../../http/html.ts'
import { frame, type PageHtml } from './frame.ts'
import type { Board } from './kept.ts'
import { componentPart, entryPart, icon, legend, TONES, time } from './parts.ts'
import { type PageReader, pageReader } from './reader.ts'

const DAY_MS = 86_400_000
/** Days of incidents on the first page; the others are in the history. */
const RECENT_DAYS = 14

/** Language and format of a page, with the title that all pages have. */
export function readerOfBoard({ status, ownTitle, look }: Board, language: Language) {
  const reader = pageReader(language, status.timeZone)
  return { reader, title: ownTitle || reader.words.title({ name: look.name }) }
}

/** The main page. @param isOld the database has not answered for a while */
export function statusPage(board: Board, language: Language, isOld: boolean): PageHtml {
  const { reader, title } = readerOfBoard(board, language)
  const { words } = reader
  const { intro, asOf, state, components, open, planned, past, subscriptions } = board.status
  const since = new Date(Date.parse(asOf) - RECENT_DAYS * DAY_MS).toISOString()
  const recent = past.filter(({ endsAt }) => endsAt !== null && endsAt > since)
  const word =
    open.length > 0 && state === 'operational' ? words.openIncident : words.overall({ state })
  const tone = open.length > 0 && state === 'operational' ? 'degraded' : state
  return frame(
    board.look,
    reader,
    { title },
    html`<h1>${title}</h1>${intro === '' ? null : html`<p class="intro">${intro}</p>`}${
      isOld
        ? html`<p class="note warn" role="status">${words.isOld({ at: reader.momentOf(asOf) })}</p>`
        : null
    }<div class="whole ${TONES[tone]}">${icon(tone)}<span>${word}</span><small>${words.asOf({ at: () => time(asOf, reader) })}</small></div>${section(
      words.now,
      open.map((entry) => entryPart(entry, reader)),
    )}${section(
      words.planned,
      planned.map((entry) => entryPart(entry, reader)),
    )}${
      components.length === 0
        ? null
        : html`<h2>${words.components}</h2><ul class="card plain">${components.map((one) => componentPart(one, reader))}</ul>${legend(reader)}${counted(reader)}`
    }${news(reader, subscriptions)}<h2>${words.lastDays({ days: RECENT_DAYS })}</h2>${
      recent.length === 0
        ? html`<p class="quiet">${words.nothingRecent}</p>`
        : recent.map((entry) => entryPart(entry, reader))
    }<p class="more"><a href="${served.statusHistory}">${words.toHistory({ days: UPTIME_DAYS })}</a></p>`,
  )
}

const section = (title: string, entries: readonly Markup[]): Markup | null =>
  entries.length === 0 ? null : html`<h2>${title}</h2>${entries}`

/** An exact explanation of how uptime is counted. */
const counted = ({ words }: PageReader): Markup =>
  html`<details><summary>${words.howCounted}</summary><p class="counted">${words.counted}</p></details>`

function news({ words }: PageReader, subscriptions: boolean): Markup {
  const feed = html`<p><a href="${served.statusFeed}">${words.followFeed}</a></p>`
  return html`<h2>${words.news}</h2><section class="card news" aria-label="${words.news}">${
    subscriptions
      ? html`<form method="post" action="/api/status/subscribers"><div><label for="email">${words.address}</label><input id="email" name="email" type="email" autocomplete="email" maxlength="254" required></div><button>${words.getMail}</button></form><p class="quiet">${words.getMailText}</p>`
      : null
  }${feed}</section>`
}

/** The history of the last 90 days. */
export function historyPage(board: Board, language: Language): PageHtml {
  const { reader, title } = readerOfBoard(board, language)
  const { words } = reader
  const { open, planned, past } = board.status
  const entries = [...open, ...planned, ...past]
  return frame(
    board.look,
    reader,
    { title: `${words.history} · ${title}` },
    html`<h1>${words.history}</h1><p class="intro">${words.historyIntro({ days: UPTIME_DAYS })}</p><p class="more"><a href="${served.statusPage}">${words.backToPresent}</a></p>${
      entries.length === 0
        ? html`<p class="quiet">${words.nothingAtAll}</p>`
        : entries.map((entry) => entryPart(entry, reader))
    }`,
  )
}

/** One incident; undefined if there is none with this id. */
export function entryPage(board: Board, language: Language, id: string): PageHtml | undefined {
  const { reader, title } = readerOfBoard(board, language)
  const { open, planned, past } = board.status
  const entry = [...open, ...planned, ...past].find((one) => one.id === id)
  return (
    entry &&
    frame(
      board.look,
      reader,
      { title: `${entry.title} · ${title}` },
      html`${entryPart(entry, reader, 2)}<p class="more"><a href="${served.statusPage}">${reader.words.backToPresent}</a></p>`,
    )
  )
}

export type Result = 'asked' | 'address' | 'full' | 'confirmed' | 'expired' | 'broken' | 'ended'

/** The result of a form. */
export function resultPage(board: Board, language: Language, result: Result): PageHtml {
  const { reader, title } = readerOfBoard(board, language)
  const { words } = reader
  const came = words.resultTitle({ result })
  return frame(
    board.look,
    reader,
    { title: `${came} · ${title}`, indexed: false },
    html`<section class="card alone"><h1>${came}</h1><p>${words.resultText({ result })}</p><p class="more"><a href="${served.statusPage}">${words.backToPage}</a></p></section>`,
  )
}

/** The page behind a link in a mail: acts only when a person presses its button. */
export function formPage(
  board: Board,
  language: Language,
  kind: 'confirm' | 'leave',
  token: string,
): PageHtml {
  const { reader, title } = readerOfBoard(board, language)
  const { words } = reader
  const [question, text, button] =
    kind === 'confirm'
      ? [words.confirmTitle, words.confirmText({ page: title }), words.confirm]
      : [words.leaveTitle, words.leaveText({ page: title }), words.leave]
  return frame(
    board.look,
    reader,
    { title: `${question} · ${title}`, indexed: false },
    html`<section class="card alone"><h1>${question}</h1><p>${text}</p><form method="post" action="/api/status/subscribers/${kind}"><input type="hidden" name="token" value="${token}"><button>${button}</button></form></section>`,
  )
}
