import { z } from 'zod'
import { timeZone } from '../time-zone.ts'
import { TICKET_STATUSES } from './ticket-words.ts'

/** API schemas of the reports of the support desk. */

/** Days that one report covers at most, and how many days ago its first one may be. */
export const REPORT_DAYS = { most: 92, usual: 30, oldest: 400 } as const

/** By what the figures of a report are told apart, beside the time. */
export const REPORT_KINDS = ['agent', 'group', 'category', 'priority', 'source', 'tier'] as const
export type ReportKind = (typeof REPORT_KINDS)[number]

const date = z.iso.date()
export const ReportQuery = z.object({
  days: z.coerce.number().int().min(1).max(REPORT_DAYS.most).default(REPORT_DAYS.usual),
  from: date.optional().describe('first day; instead of `days`'),
  to: date.optional().describe('last day; today if left out'),
  every: z.enum(['day', 'week']).default('day').describe('weeks begin on Monday'),
  timeZone: timeZone.optional().describe('whose days these are; that of the desk if left out'),
})
export type ReportQuery = z.infer<typeof ReportQuery>

export const ReportCsvQuery = ReportQuery.extend({
  rows: z
    .enum(['time', ...REPORT_KINDS, 'article', 'search'])
    .default('time')
    .describe('what each row is'),
})
export type ReportCsvQuery = z.infer<typeof ReportCsvQuery>

const count = z.int()
const minutes = z.number().nullable()
const share = z.object({ medianMinutes: minutes, p90Minutes: minutes })
/** How long something took; null without any. */
export const Durations = z.object({
  count,
  business: share.describe('while the desk was open'),
  wall: share.describe('real time'),
})
export type Durations = z.infer<typeof Durations>

const goal = z.object({ met: count, missed: count })
export const ReportFigures = z.object({
  created: count,
  solved: count.describe('how often a ticket was solved or closed while it was open'),
  reopened: count,
  backlog: count.describe('tickets that are neither solved nor closed at the end'),
  firstResponse: Durations.describe('of the tickets that were first answered in this time'),
  resolution: Durations.describe('of the tickets that were solved in this time, and still are'),
  goals: z.object({
    first: goal,
    next: goal.describe('of the last message of the customer in each ticket'),
    resolution: goal,
  }),
  oneTouchPercent: minutes.describe('of the solved tickets, those with one answer at most'),
  repliesPerTicket: minutes.describe('of the solved tickets'),
  ratings: z.object({
    count,
    average: minutes,
    asked: count,
    answeredPercent: minutes.describe('of the tickets whose customers were asked in this time'),
  }),
})
export type ReportFigures = z.infer<typeof ReportFigures>

const entry = ReportFigures.extend({
  id: z.string().nullable().describe('of the agent, group, …; null for tickets without one'),
  name: z.string().nullable().describe('null where the id says it, or it is gone'),
})
export type ReportEntry = z.infer<typeof entry>
const time = ReportFigures.extend({ from: date, to: date })
export type ReportTime = z.infer<typeof time>

/** Articles and searches that a report names. */
export const MOST_OF_HELP = 20
const HelpUse = z.object({
  articles: z
    .array(
      z.object({
        ...{ slug: z.string(), title: z.string() },
        reads: count.describe('in this time, in all languages, except by the staff'),
        helpful: count.describe('votes of all time'),
        unhelpful: count,
      }),
    )
    .describe(`the ${MOST_OF_HELP} that were read most`),
  missed: z
    .array(
      z.object({
        words: z.string().describe('without addresses and long numbers'),
        searches: count,
        days: count.describe('on how many days'),
      }),
    )
    .describe(`the ${MOST_OF_HELP} searches that most often found nothing`),
})
export type HelpUse = z.infer<typeof HelpUse>

const entries = z.array(entry)
/** Spam and tickets that were merged into others count nowhere. */
export const Report = z.object({
  from: date,
  to: date,
  timeZone: z.string(),
  every: z.enum(['day', 'week']),
  total: ReportFigures,
  times: z.array(time).describe('the first and the last week end where the report does'),
  by: z.object({
    agent: entries.describe('who has the ticket now'),
    ...{ group: entries, category: entries, priority: entries, source: entries, tier: entries },
  } satisfies Record<ReportKind, z.ZodType>),
  open: z
    .object({
      total: count,
      byStatus: z.array(z.object({ status: z.enum(TICKET_STATUSES), count })),
      byAge: z.array(z.object({ belowDays: z.int().nullable(), count })),
    })
    .describe('as it is now, whatever the time of the report'),
  busiest: z
    .array(z.array(count).length(24))
    .length(7)
    .describe('tickets created by weekday, from Monday on, and hour'),
  help: HelpUse.describe('how the help center was used, in days of the desk'),
})
export type Report = z.infer<typeof Report>
