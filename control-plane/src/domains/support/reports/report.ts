import { wallOf } from '@lodge/shared/cron/wall-clock.ts'
import { openClock } from '@lodge/shared/support/hours/open-time.ts'
import {
  MOST_OF_HELP,
  REPORT_KINDS,
  type Report,
  type ReportEntry,
  type ReportKind,
  type ReportQuery,
} from '@lodge/shared/support/reports.ts'
import { TICKET_STATUSES } from '@lodge/shared/support/ticket-words.ts'
import { staysOpen } from '@lodge/shared/support/transitions.ts'
import type { Ctx } from '../../../context.ts'
import { invalid } from '../../../http/input.ts'
import { readSettings } from '../../settings/index.ts'
import { mostMissed, mostRead } from '../help-use/store.ts'
import { hoursSettings } from '../hours/settings.ts'
import { partsOf, rangeOf } from './days.ts'
import { occurrencesOf } from './occurrences.ts'
import { listFacts, namesOf, type TicketFacts } from './store.ts'
import { figuresOf, newTally, type Tally } from './tally.ts'

const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000]
/** Counting more would block the process for too long. */
const MOST_TICKETS = 50_000
/** Upper bounds of the ages of open tickets, in days; the oldest have none. */
const AGES = [1, 3, 7, 14, 30, null] as const

/** The desk's figures for a range of days. */
export async function reportOf({ db, now }: Ctx, query: ReportQuery): Promise<Report> {
  const hours = await readSettings(db, hoursSettings)
  const zone = query.timeZone ?? hours.timeZone
  const range = rangeOf(query, zone, now)
  const all = await listFacts(db, new Date(range.startMs), MOST_TICKETS + 1)
  if (all.length > MOST_TICKETS)
    throw invalid([
      {
        pointer: query.from === undefined ? '/days' : '/from',
        detail: `reaches back to more than ${MOST_TICKETS} tickets: choose a later first day`,
      },
    ])
  const oldestMs = all.reduce((ms, { createdAt }) => Math.min(ms, createdAt.getTime()), range.endMs)
  const openTime = openClock(hours, oldestMs, Math.max(range.endMs, now.getTime()))

  const parts = partsOf(zone, range, query.every).map((days) => ({ days, tally: newTally() }))
  const total = newTally()
  const by = new Map<ReportKind, Map<string | null, Tally>>()
  for (const kind of REPORT_KINDS) by.set(kind, new Map())
  for (const facts of all) {
    const own = [total, ...REPORT_KINDS.map((kind) => tallyOf(by.get(kind), facts[kind]))]
    if (staysOpen(facts.status)) for (const tally of own) tally.backlog++
    for (const { atMs, count, opens } of occurrencesOf(facts, openTime)) {
      if (atMs >= range.endMs) for (const tally of own) tally.backlog -= opens
      if (atMs < range.startMs || atMs >= range.endMs) continue
      for (const tally of own) count(tally)
      const part = parts.findLast(({ days }) => days.startMs <= atMs)
      if (part) count(part.tally)
    }
  }
  // The backlog at the end of each part is computed backwards from the last one.
  let open = total.backlog
  for (const { tally } of parts.toReversed()) {
    tally.backlog = open
    open -= tally.created - tally.solved + tally.reopened
  }

  const agents = [...(by.get('agent')?.keys() ?? [])].filter((id) => id !== null)
  const names = await namesOf(db, agents)
  const asked = { ...{ from: range.from, to: range.to }, most: MOST_OF_HELP }
  return {
    ...{ from: range.from, to: range.to, timeZone: zone, every: query.every },
    total: figuresOf(total),
    times: parts.map(({ days: { from, to }, tally }) => ({ from, to, ...figuresOf(tally) })),
    by: Object.fromEntries(
      REPORT_KINDS.map((kind) => [kind, entriesOf(by.get(kind) ?? new Map(), names)]),
    ) as Record<ReportKind, ReportEntry[]>,
    open: openNow(all, now),
    busiest: busiestHours(all, zone, range),
    help: { articles: await mostRead(db, asked), missed: await mostMissed(db, asked) },
  }
}

function tallyOf(all: Map<string | null, Tally> | undefined, id: string | null): Tally {
  const tally = all?.get(id) ?? newTally()
  all?.set(id, tally)
  return tally
}

/** Those with the most new tickets first, without those that have none of anything. */
const entriesOf = (
  all: ReadonlyMap<string | null, Tally>,
  names: ReadonlyMap<string, string>,
): ReportEntry[] =>
  [...all]
    .map(([id, tally]) => ({ id, name: (id && names.get(id)) ?? null, ...figuresOf(tally) }))
    .filter((one) => one.created + one.solved + one.reopened + one.backlog > 0)
    .sort((a, b) => b.created - a.created || (a.name ?? '').localeCompare(b.name ?? ''))

function openNow(all: readonly TicketFacts[], now: Date): Report['open'] {
  const open = all.filter(({ status }) => staysOpen(status))
  const ages = open.map(({ createdAt }) => (now.getTime() - createdAt.getTime()) / DAY_MS)
  return {
    total: open.length,
    byStatus: TICKET_STATUSES.filter(staysOpen).map((status) => ({
      ...{ status, count: open.filter((one) => one.status === status).length },
    })),
    byAge: AGES.map((belowDays, at) => {
      const [least, most] = [AGES[at - 1] ?? 0, belowDays ?? Number.POSITIVE_INFINITY]
      const isOf = (days: number) => (at === 0 || days >= least) && days < most
      return { belowDays, count: ages.filter(isOf).length }
    }),
  }
}

function busiestHours(
  all: readonly TicketFacts[],
  zone: string,
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
): number[][] {
  const week = Array.from({ length: 7 }, () => new Array<number>(24).fill(0))
  for (const { createdAt } of all) {
    const atMs = createdAt.getTime()
    if (atMs < startMs || atMs >= endMs) continue
    const wallMs = wallOf(zone, atMs)
    const day = week[(new Date(wallMs).getUTCDay() + 6) % 7]
    const hour = Math.floor((wallMs % DAY_MS) / HOUR_MS)
    if (day) day[hour] = (day[hour] ?? 0) + 1
  }
  return week
}
