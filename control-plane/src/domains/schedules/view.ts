import { THE_HOST } from '@lodge/shared/accounts.ts'
import type { Schedule, ScheduleRun, TaskResult } from '@lodge/shared/schedules.ts'
import type { User } from '../../actor.ts'
import type { ListedSchedule } from './store.ts'
import type { KeptResult, RunRow, ScheduleRow } from './tables.ts'

interface Person {
  readonly email: string
  readonly role: string
}

/** Customers do not see the addresses of administrators. */
export const shownTo = (reader: Pick<User, 'role'>, person: Person | null): string | null =>
  person && person.role === 'admin' && reader.role !== 'admin' ? THE_HOST : (person?.email ?? null)

/** The name of a schedule: its own, or when it runs. */
export const nameOf = ({
  name,
  cron,
  intervalMinutes,
}: Pick<ScheduleRow, 'name' | 'cron' | 'intervalMinutes'>): string =>
  name ?? (cron === null ? `Every ${intervalMinutes} minutes` : cron)

export const describeSchedule = (row: ListedSchedule, reader: Pick<User, 'role'>): Schedule => ({
  id: row.id,
  serverId: row.serverId,
  name: row.name,
  cron: row.cron,
  intervalMinutes: row.intervalMinutes,
  timezone: row.timezone,
  tasks: row.tasks,
  missed: row.missed,
  enabled: row.enabled,
  nextRunAt: row.nextAt?.toISOString() ?? null,
  lastRun: row.lastRun && describeTimes(row.lastRun),
  runsAlone: row.runsAlone,
  problem: row.problem,
  author: shownTo(reader, row.author),
  revision: row.revision,
  createdAt: row.createdAt.toISOString(),
})

const describeTimes = ({ id, state, dueAt, startedAt, endedAt, ...shown }: ShownRun) => ({
  id,
  state,
  dueAt: dueAt?.toISOString() ?? null,
  startedAt: startedAt.toISOString(),
  endedAt: endedAt?.toISOString() ?? null,
  detail: shown.detail,
  jobId: shown.jobId,
  byNode: shown.byNode,
})
type ShownRun = Omit<RunRow, 'results'>

export const describeRun = (row: RunRow, startedBy: string | null): ScheduleRun => ({
  ...describeTimes(row),
  scheduleId: row.scheduleId,
  startedBy,
  tasks: row.results.map(describeResult),
})

const describeResult = ({ begun: _, faultyAt: __, ...shown }: KeptResult): TaskResult => shown
