import { served } from '@lodge/shared/panel-paths.ts'
import { html, type Markup } from '../../../http/html.ts'
import { frame, type PageHtml } from './frame.ts'
import type { Board } from './kept.ts'
import { momentOf } from './moments.ts'
import { componentPart, entryPart, icon, legend, TONES } from './parts.ts'
import { OVERALL_WORDS, RESULTS } from './words.ts'

const DAY_MS = 86_400_000
/** Days of incidents on the first page; the others are in the history. */
const RECENT_DAYS = 14

/** The first page. @param isOld the database has not answered for a while */
export function statusPage({ status, look }: Board, isOld: boolean): PageHtml {
  const { title, intro, timeZone, asOf, state, components, open, planned, past } = status
  const since = new Date(Date.parse(asOf) - RECENT_DAYS * DAY_MS).toISOString()
  const recent = past.filter(({ endsAt }) => endsAt !== null && endsAt > since)
  const word =
    open.length > 0 && state === 'operational' ? 'There is an open incident' : OVERALL_WORDS[state]
  const tone = open.length > 0 && state === 'operational' ? 'degraded' : state
  return frame(
    look,
    { title },
    html`<h1>${title}</h1>${intro === '' ? null : html`<p class="intro">${intro}</p>`}${
      isOld
        ? html`<p class="note warn" role="status">What is new cannot be read at present. This page shows what was known at ${momentOf(asOf, timeZone)}.</p>`
        : null
    }<div class="whole ${TONES[tone]}">${icon(tone)}<span>${word}</span><small>As of <time datetime="${asOf}">${momentOf(asOf, timeZone)}</time></small></div>${section(
      'Now',
      open.map((entry) => entryPart(entry, timeZone)),
    )}${section(
      'Planned maintenance',
      planned.map((entry) => entryPart(entry, timeZone)),
    )}${
      components.length === 0
        ? null
        : html`<h2>Components</h2><ul class="card plain">${components.map(componentPart)}</ul>${legend()}${counted()}`
    }${news(status.subscriptions)}<h2>Last ${RECENT_DAYS} days</h2>${
      recent.length === 0
        ? html`<p class="quiet">No incidents and no maintenance.</p>`
        : recent.map((entry) => entryPart(entry, timeZone))
    }<p class="more"><a href="${served.statusHistory}">All of the last 90 days</a></p>`,
  )
}

const section = (title: string, entries: readonly Markup[]): Markup | null =>
  entries.length === 0 ? null : html`<h2>${title}</h2>${entries}`

/** Exactly how uptime is counted. */
const counted = (): Markup =>
  html`<details><summary>How uptime is counted</summary><p class="counted">Once a minute the panel records what it knows of each component. A minute counts as up if everything in the component worked, if slowly, and as down if some or all of it did not work. Minutes of planned maintenance are shown apart and count for neither. A minute in which nothing could be measured is shown as not measured and never counts as up; a part that has just gone silent is not measured for up to a minute, since it may only be restarting. Uptime is the minutes that were up, divided by those that were up or down, rounded down.</p></details>`

function news(subscriptions: boolean): Markup {
  const feed = html`<p><a href="${served.statusFeed}">Follow by feed (Atom)</a></p>`
  return html`<h2>Stay informed</h2><section class="card news" aria-label="Stay informed">${
    subscriptions
      ? html`<form method="post" action="/api/status/subscribers"><div><label for="email">E-mail address</label><input id="email" name="email" type="email" autocomplete="email" maxlength="254" required></div><button>Get mail</button></form><p class="quiet">You get mail about incidents and maintenance, once you have confirmed your address.</p>`
      : null
  }${feed}</section>`
}

/** Everything of the last 90 days. */
export function historyPage({ status, look }: Board): PageHtml {
  const { title, timeZone, open, planned, past } = status
  const entries = [...open, ...planned, ...past]
  return frame(
    look,
    { title: `History · ${title}` },
    html`<h1>History</h1><p class="intro">Incidents and maintenance of the last 90 days.</p><p class="more"><a href="${served.statusPage}">Back to the present state</a></p>${
      entries.length === 0
        ? html`<p class="quiet">There were none.</p>`
        : entries.map((entry) => entryPart(entry, timeZone))
    }`,
  )
}

/** One incident; undefined if there is none with this id. */
export function entryPage({ status, look }: Board, id: string): PageHtml | undefined {
  const { title, timeZone, open, planned, past } = status
  const entry = [...open, ...planned, ...past].find((one) => one.id === id)
  return (
    entry &&
    frame(
      look,
      { title: `${entry.title} · ${title}` },
      html`${entryPart(entry, timeZone, 2)}<p class="more"><a href="${served.statusPage}">Back to the present state</a></p>`,
    )
  )
}

export type Result = keyof typeof RESULTS

/** What a form came to. */
export function resultPage({ status, look }: Board, result: Result): PageHtml {
  const { title, text } = RESULTS[result]
  return frame(
    look,
    { title: `${title} · ${status.title}`, indexed: false },
    html`<section class="card alone"><h1>${title}</h1><p>${text}</p><p class="more"><a href="${served.statusPage}">Back to the status page</a></p></section>`,
  )
}

/** Behind the links of mails: what they do happens only when a person presses the button. */
export function formPage(
  { status, look }: Board,
  kind: 'confirm' | 'leave',
  token: string,
): PageHtml {
  const words = {
    confirm: {
      title: 'Get mail about incidents?',
      text: `This address is to get mail about incidents and maintenance from ${status.title}.`,
      button: 'Confirm address',
    },
    leave: {
      title: 'End the mail?',
      text: `This address gets no more mail from ${status.title}, and is deleted here.`,
      button: 'End mail',
    },
  }[kind]
  return frame(
    look,
    { title: `${words.title} · ${status.title}`, indexed: false },
    html`<section class="card alone"><h1>${words.title}</h1><p>${words.text}</p><form method="post" action="/api/status/subscribers/${kind}"><input type="hidden" name="token" value="${token}"><button>${words.button}</button></form></section>`,
  )
}
