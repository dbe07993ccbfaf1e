import { panelPath } from '@lodge/shared/panel-paths.ts'
import type {
  DayUptime,
  PublicComponent,
  PublicIncident,
  ShownState,
} from '@lodge/shared/status.ts'
import { html, type Markup } from '../../../http/html.ts'
import { durationOf, type PageReader } from './reader.ts'

export const TONES: Readonly<Record<ShownState, string>> = {
  operational: 'ok',
  degraded: 'warn',
  partial: 'warn',
  outage: 'err',
  maintenance: 'info',
  unknown: 'idle',
}

/** A shape for each state, so that it does not rely on colour alone. */
const DRAWN: Readonly<Record<ShownState, string>> = {
  operational: 'M4.5 8.5l2.5 2.5 4.5-5',
  degraded: 'M8 4.5v4.2M8 11.3v.2',
  partial: 'M8 4.5v4.2M8 11.3v.2',
  outage: 'M5.5 5.5l5 5M10.5 5.5l-5 5',
  maintenance: 'M8 4.5V8l2.4 1.6',
  unknown: 'M5 8h6',
}
export const icon = (state: ShownState): Markup =>
  html`<svg viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><circle cx="8" cy="8" r="6.7"/><path d="${DRAWN[state]}"/></svg>`

const pill = (state: ShownState, { words }: PageReader): Markup =>
  html`<span class="pill ${TONES[state]}">${icon(state)}${words.healthOf({ state })}</span>`

const HEIGHT = 32
const measured = (day: DayUptime): number =>
  day.upMinutes + day.downMinutes + day.maintenanceMinutes

/** One bar for each day; its height is the measured part of the day. */
function bars({ name, days }: PublicComponent, reader: PageReader): Markup {
  const { words, dayOf } = reader
  const drawn = days.map((day, at) => {
    const whole = measured(day) + day.unknownMinutes
    const height = whole === 0 ? 0 : (HEIGHT * measured(day)) / whole
    const x = at * 4
    return html`<g><title>${words.dayAnd({ day: dayOf(day.date), what: told(day, reader) })}</title><rect class="u" x="${x}" y="0" width="3" height="${HEIGHT}"/><rect class="${day.worst}" x="${x}" y="${(HEIGHT - height).toFixed(1)}" width="3" height="${height.toFixed(1)}"/></g>`
  })
  return html`<svg class="bars" viewBox="0 0 ${days.length * 4 - 1} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${words.daysOf({ name, days: days.length })}">${drawn}</svg>`
}

/** The text of a day. */
function told(day: DayUptime, { words }: PageReader): string {
  if (measured(day) === 0) return words.unmeasured
  const parts = [
    day.downMinutes > 0 ? words.downFor({ time: durationOf(day.downMinutes) }) : undefined,
    day.maintenanceMinutes > 0
      ? words.maintenanceFor({ time: durationOf(day.maintenanceMinutes) })
      : undefined,
    day.unknownMinutes > 0
      ? words.unmeasuredFor({ time: durationOf(day.unknownMinutes) })
      : undefined,
  ].filter((part) => part !== undefined)
  if (parts.length > 0) return parts.join(', ')
  return day.worst === 'degraded' ? words.slow : words.upAllDay
}

/** The days with incidents as a table, for people who cannot see or touch the bars. */
function dayTable({ days }: PublicComponent, { words, dayOf }: PageReader): Markup | null {
  const rows = days
    .filter((day) => measured(day) > 0 && day.downMinutes + day.maintenanceMinutes > 0)
    .reverse()
  if (rows.length === 0) return null
  return html`<details><summary>${words.badDays({ days: rows.length })}</summary><div class="scroll" tabindex="0" role="region" aria-label="${words.days}"><table><thead><tr><th scope="col">${words.day}</th><th scope="col">${words.down}</th><th scope="col">${words.maintenance}</th><th scope="col">${words.notMeasured}</th></tr></thead><tbody>${rows.map(
    (day) =>
      html`<tr><td>${dayOf(day.date)}</td><td>${durationOf(day.downMinutes)}</td><td>${durationOf(day.maintenanceMinutes)}</td><td>${durationOf(day.unknownMinutes)}</td></tr>`,
  )}</tbody></table></div></details>`
}

/** A component with its state and its last days. */
export const componentPart = (component: PublicComponent, reader: PageReader): Markup => {
  const { words } = reader
  const { name, description, state, uptimePercent, days } = component
  const uptime = uptimePercent === null ? words.noUptime : words.uptime({ percent: uptimePercent })
  return html`<li class="part"><div class="head"><h3>${name}</h3>${
    description === '' ? null : html`<span class="quiet">${description}</span>`
  }${pill(state, reader)}</div>${bars(component, reader)}<div class="scale"><span>${words.daysAgo({ days: days.length })}</span><span>${uptime}</span><span>${words.today}</span></div>${dayTable(component, reader)}</li>`
}

/** What the colours of the bars mean. */
export const legend = ({ words }: PageReader): Markup =>
  html`<div class="legend">${(
    [
      ['operational', words.legendUp],
      ['partial', words.legendPartial],
      ['outage', words.legendOutage],
      ['maintenance', words.planned],
      ['u', words.notMeasured],
    ] as const
  ).map(
    ([name, said]) =>
      html`<span><svg class="bars-key" viewBox="0 0 10 16" aria-hidden="true"><g class="bars"><rect class="${name}" width="10" height="16" rx="2"/></g></svg>${said}</span>`,
  )}</div>`

/** A time, readable for people and for machines. */
export const time = (iso: string, { momentOf }: PageReader): Markup =>
  html`<time datetime="${iso}">${momentOf(iso)}</time>`

/** An incident or maintenance with its updates. */
export function entryPart(entry: PublicIncident, reader: PageReader, level: 2 | 3 = 3): Markup {
  const { words } = reader
  const { id, title, state, impact, components, startsAt, endsAt, updates } = entry
  const when =
    endsAt === null
      ? html`<span>${words.since({ start: () => time(startsAt, reader) })}</span>`
      : html`<span>${words.between({ start: () => time(startsAt, reader), end: () => time(endsAt, reader) })}</span>`
  const tone =
    state === 'resolved' || state === 'completed' ? 'operational' : (impact ?? 'maintenance')
  const head =
    level === 2
      ? html`<h1>${title}</h1>`
      : html`<h3><a href="${panelPath('statusEntry', { id })}">${title}</a></h3>`
  return html`<article class="card entry">${head}<div class="facts"><span class="pill ${TONES[tone]}">${icon(tone)}${words.stateOf({ state })}</span>${
    impact === null ? null : html`<span>${words.impactOf({ impact })}</span>`
  }${components.length === 0 ? null : html`<span>${components.join(', ')}</span>`}${when}</div><ol class="updates">${updates.map(
    (update) =>
      html`<li id="${update.id}"><strong>${words.stateOf({ state: update.state })}</strong> ${time(update.at, reader)}<p>${update.body}</p></li>`,
  )}</ol></article>`
}
