import { randomUUID } from 'node:crypto'
import { type StoredUsage, USAGE_REPORT_DAYS } from '@lodge/shared/usage-reports.ts'
import type { Ctx } from '../../context.ts'
import { postReport } from './code-host.ts'
import { makeReport } from './report.ts'
import { seal } from './seal.ts'
import { isAgreed } from './standing.ts'
import { changeUsage, placeOf, readUsage } from './stored.ts'

const DAY_MS = 86_400_000
/** How long other control planes leave a claimed report alone. */
const TAKEN_MS = 10 * 60_000
/** After this many failures a report is dropped; the next one has newer data. */
const MAX_ATTEMPTS = 4
const KEPT = 10

type Report = StoredUsage['reports'][number]

const after = (now: Date, ms: number): string => new Date(now.getTime() + ms).toISOString()
const isDue = (at: string | null, now: Date): boolean =>
  at !== null && Date.parse(at) <= now.getTime()

/** Creates the report that is due, and sends those that wait. @returns how many were sent */
export async function sendReports(ctx: Ctx): Promise<number> {
  await makeDue(ctx)
  const taken = await take(ctx)
  if (!taken) return 0
  const { report, config, token } = taken
  const status = await attempt(ctx, token, config, report)
  await note(ctx, report.id, status)
  return status === 201 ? 1 : 0
}

async function makeDue(ctx: Ctx): Promise<void> {
  const { now } = ctx
  const stored = await readUsage(ctx.db)
  const isWanted = (one: StoredUsage) =>
    isAgreed(one) && one.connection !== null && isDue(one.nextReportAt, now)
  if (!isWanted(stored) || !stored.consent) return
  const report = await makeReport(ctx, stored.consent.installation)
  await changeUsage(ctx, (present) =>
    // Another control plane was faster, or somebody withdrew.
    isWanted(present) && present.consent?.installation === report.installation
      ? {
          ...present,
          nextReportAt: after(now, USAGE_REPORT_DAYS * DAY_MS),
          reports: [queued(report, now), ...present.reports].slice(0, KEPT),
        }
      : present,
  )
}

const queued = (report: Report['report'], now: Date): Report => ({
  id: randomUUID(),
  state: 'queued',
  attempts: 0,
  createdAt: now.toISOString(),
  sentAt: null,
  nextAttemptAt: now.toISOString(),
  failure: null,
  report,
})

/** Claims the oldest due report, so that no other control plane sends it. */
async function take(ctx: Ctx) {
  const { now } = ctx
  let taken:
    | { report: Report; config: NonNullable<StoredUsage['config']>; token: string }
    | undefined
  await changeUsage(ctx, (present) => {
    const { config, connection, reports } = present
    if (!isAgreed(present) || !config || !connection || present.revoked) return present
    const report = reports.findLast(
      ({ state, nextAttemptAt }) => state === 'queued' && isDue(nextAttemptAt, now),
    )
    if (!report) return present
    const token = ctx.vault.open(Buffer.from(connection.token, 'base64'), placeOf('token'))
    taken = { report, config, token }
    const again = { ...report, attempts: report.attempts + 1, nextAttemptAt: after(now, TAKEN_MS) }
    return { ...present, reports: reports.map((one) => (one === report ? again : one)) }
  })
  return taken
}

/** @returns the status of the response, or why there was none */
async function attempt(
  ctx: Ctx,
  token: string,
  { repository, publicKeyBase64 }: NonNullable<StoredUsage['config']>,
  { report }: Report,
): Promise<number | string> {
  try {
    return await postReport(
      ctx,
      token,
      repository,
      await seal(JSON.stringify(report), publicKeyBase64),
    )
  } catch (error) {
    return `It could not be reached: ${(error as Error).message}`
  }
}

async function note(ctx: Ctx, id: string, status: number | string): Promise<void> {
  const { now } = ctx
  const isRevoked = status === 401
  const failure =
    typeof status === 'string'
      ? status
      : status === 201
        ? null
        : isRevoked
          ? 'The service does not accept the connection any more: connect again'
          : `The service answered ${status}`
  await changeUsage(ctx, (present) => ({
    ...present,
    failure,
    ...(isRevoked && { revoked: true, connection: null, nextReportAt: null }),
    reports: present.reports.map((one) => (one.id === id ? judged(one, failure, now) : one)),
  }))
}

function judged(one: Report, failure: string | null, now: Date): Report {
  if (failure === null)
    return { ...one, state: 'sent', sentAt: now.toISOString(), nextAttemptAt: null, failure }
  if (one.attempts >= MAX_ATTEMPTS)
    return { ...one, state: 'dropped', nextAttemptAt: null, failure }
  return { ...one, nextAttemptAt: after(now, USAGE_REPORT_DAYS * DAY_MS), failure }
}
