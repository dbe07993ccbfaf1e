import { randomUUIDv7 } from 'node:crypto'
import { THE_HOST } from '@lodge/shared/accounts.ts'
import { isCancellable, jobKind } from '@lodge/shared/job-kinds.ts'
import type { Job, JobState, JobStep } from '@lodge/shared/jobs.ts'
import { and, desc, eq, gt, inArray, isNotNull, isNull, lt, lte, type SQL, sql } from 'drizzle-orm'
import type { Position } from '../../db/cursor.ts'
import { type Db, later, rowsAtMost } from '../../db/database.ts'
import { deferredInsert } from '../../db/deferred-insert.ts'
import { insertMany } from '../../db/insert-many.ts'
import { ONLINE } from '../../fleet/online.ts'
import type { About } from './about.ts'
import { type JobRow, jobs } from './tables.ts'

const UNSET = {
  percent: null,
  bytesDone: null,
  bytesTotal: null,
  failure: null,
  logTail: [],
  cancelRequested: false,
  endedAt: null,
} satisfies Partial<JobRow>
type Unset = keyof typeof UNSET

/** The row of a job that nobody has begun. */
export function newJob(
  kind: string,
  about: About,
  startedBy: string | null,
  more: Pick<JobRow, 'runsAs'> & Partial<JobRow> & { readonly stepNames: readonly string[] },
): Omit<JobRow, Unset> {
  const { stepNames, ...columns } = more
  return {
    id: randomUUIDv7(),
    kind,
    title: about.title,
    state: 'waiting',
    serverId: about.serverId ?? null,
    nodeId: about.nodeId ?? null,
    ownerId: about.ownerId ?? null,
    startedBy,
    concurrencyGroup: null,
    generation: null,
    waitsFor: null,
    input: {},
    steps: waitingSteps(stepNames),
    createdAt: new Date(),
    ...columns,
  }
}

export async function insertJobs(db: Db, rows: readonly Omit<JobRow, Unset>[]): Promise<void> {
  await later(db, insertMany(jobs, rows))
}

export async function insertJob(db: Db, row: typeof jobs.$inferInsert): Promise<JobRow> {
  const [inserted] = await db.insert(jobs).values(row).returning()
  return inserted as JobRow
}

/** For a job settled elsewhere: the insert's result is not needed, so it is deferred. */
export async function insertJobDeferred(db: Db, row: Omit<JobRow, Unset>): Promise<JobRow> {
  await deferredInsert(db, jobs, row)
  return { ...row, ...UNSET }
}

export async function findJob(db: Db, id: string): Promise<JobRow | undefined> {
  const [row] = await db.select().from(jobs).where(eq(jobs.id, id))
  return row
}

export const findJobs = (db: Db, ids: readonly string[]): Promise<JobRow[]> =>
  db
    .select()
    .from(jobs)
    .where(inArray(jobs.id, [...ids]))

/** Updates an open job; an ended one never changes. */
export async function updateJob(
  db: Db,
  id: string,
  change: Partial<JobRow>,
): Promise<JobRow | undefined> {
  const [row] = await db
    .update(jobs)
    .set(change)
    .where(and(eq(jobs.id, id), isNull(jobs.endedAt)))
    .returning()
  return row
}

export const endJob = (db: Db, id: string, state: JobState, failure: JobRow['failure'] = null) =>
  updateJob(db, id, { state, failure, endedAt: new Date() })

/**
 * A server's jobs that wait for `generation` or an older one, both desired-state jobs and parked
 * sagas. One statement for both, because every observation runs it.
 */
export const openJobsThrough = (db: Db, serverId: string, generation: number): Promise<JobRow[]> =>
  db
    .select()
    .from(jobs)
    .where(and(eq(jobs.serverId, serverId), lte(jobs.generation, generation), isNull(jobs.endedAt)))

/** Makes open jobs that wait for `from` wait for `to` instead. */
export async function moveOpenJobs(
  db: Db,
  serverId: string,
  from: number,
  to: number,
): Promise<void> {
  await later(db, {
    text: `update jobs set generation = $3
      where server_id = $1 and generation = $2 and ended_at is null`,
    values: [serverId, from, to],
  })
}

export const openJobsOfServer = (db: Db, serverId: string): Promise<JobRow[]> =>
  db
    .select()
    .from(jobs)
    .where(and(eq(jobs.serverId, serverId), isNull(jobs.endedAt)))

interface ServerOfJob extends Record<string, unknown> {
  readonly id: string
  readonly name: string
  readonly nodeName: string
  readonly nodeOnline: boolean
  /** Why the machine may not boot now. */
  readonly bootWaitsFor: string | null
}

/** Servers that jobs refer to; jobs of a removed server keep its title. */
async function serversOfJobs(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ServerOfJob>> {
  if (ids.length === 0) return new Map()
  const { rows } = await db.execute<ServerOfJob>(
    sql`select s.id, s.name, nodes.name as "nodeName", ${sql.raw(ONLINE)} as "nodeOnline",
        case when s.desired_power = 'on' then s.boot_waits_for end as "bootWaitsFor"
      from servers s join nodes on nodes.id = s.node_id
      where s.id = any(${sql.param([...ids])}::uuid[])`,
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** What an open job waits for, as text; null if it is running or has ended. */
function waitsFor(job: JobRow, server: ServerOfJob | undefined): string | null {
  if (job.endedAt) return null
  if (job.waitsFor !== null) return job.waitsFor
  if (server && !server.nodeOnline)
    return `${server.nodeName} is not connected: it goes on when the node is back`
  if (job.runsAs === 'desired_state' && job.generation !== null && server?.bootWaitsFor)
    return server.bootWaitsFor
  if (job.state !== 'waiting') return null
  return server ? `${server.nodeName} has not started it yet` : 'Not started yet'
}

/** Who started jobs, as customers or the host's staff may see it. */
async function starters(
  db: Db,
  ids: readonly string[],
  reader: 'customer' | 'host',
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await db.execute<{ id: string; email: string; role: string }>(
    sql`select id, email, role from users where id = any(${sql.param([...new Set(ids)])}::uuid[])`,
  )
  const nameOf = ({ email, role }: { email: string; role: string }) =>
    reader === 'customer' && role === 'admin' ? THE_HOST : email
  return new Map(rows.map((row) => [row.id, nameOf(row)]))
}

/** @param reader customers do not see administrators' addresses */
export async function describeJobs(
  db: Db,
  rows: readonly JobRow[],
  reader: 'customer' | 'host',
): Promise<Job[]> {
  const servers = await serversOfJobs(
    db,
    rows.flatMap((row) => row.serverId ?? []),
  )
  const people = await starters(
    db,
    rows.flatMap((row) => row.startedBy ?? []),
    reader,
  )
  const serverOf = ({ serverId }: JobRow) => (serverId === null ? undefined : servers.get(serverId))
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    title: row.title,
    state: row.state,
    serverId: row.serverId,
    serverName: serverOf(row)?.name ?? null,
    nodeId: row.nodeId,
    steps: row.steps,
    percent: row.percent,
    waitsFor: waitsFor(row, serverOf(row)),
    bytes: row.bytesDone === null ? null : { done: row.bytesDone, total: row.bytesTotal },
    cancellable: row.endedAt === null && isCancellable(row.kind, row.steps),
    retryable:
      (row.state === 'failed' || row.state === 'cancelled') &&
      jobKind(row.kind).again !== null &&
      serverOf(row) !== undefined,
    failure: row.failure,
    logTail: row.logTail,
    startedBy: row.startedBy === null ? null : (people.get(row.startedBy) ?? null),
    createdAt: row.createdAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
  }))
}

export interface Sharer {
  readonly id: string
  readonly permissions: readonly string[]
}

/** People with whom the job's server is shared. */
export async function sharersOf(db: Db, { serverId }: Pick<JobRow, 'serverId'>): Promise<Sharer[]> {
  if (serverId === null) return []
  const { rows } = await db.execute<{ id: string; permissions: string[] }>(
    sql`select user_id as id, permissions from server_collaborators where server_id = ${serverId}::uuid`,
  )
  return rows
}

interface JobPage {
  readonly ownerId: string | undefined
  readonly serverId: string | undefined
  readonly open: boolean | undefined
  readonly state: JobState | undefined
  readonly after: Position | undefined
  readonly limit: number
}

/** As a literal: with a parameter, a prepared plan could not use an index of some states only. */
const inState = (state: JobState): SQL => sql.raw(`state = '${state}'`)

/** Open jobs are few, and found by an index of their own. */
const isOpen = (state: JobState | undefined): boolean => state === 'waiting' || state === 'running'

/**
 * Ids of one page of a person's jobs. Each way in which one may see a job is read through its own
 * index; joined by `or`, they would take the whole table.
 */
function seenBy(person: string, { serverId, open, state, after, limit }: JobPage): SQL {
  const only = sql.join([
    serverId ? sql` and server_id = ${serverId}::uuid` : sql``,
    open || isOpen(state) ? sql` and ended_at is null` : sql``,
    state ? sql` and ${inState(state)}` : sql``,
    after ? sql` and id < ${after[1]}::uuid` : sql``,
    sql` order by id desc ${rowsAtMost(limit + 1)}`,
  ])
  return sql`
    (select id from jobs where owner_id = ${person}::uuid${only})
    union (select id from jobs where started_by = ${person}::uuid${only})
    union (select shared.id from server_collaborators c cross join lateral (
      select id from jobs where server_id = c.server_id${only}) shared
      where c.user_id = ${person}::uuid)
    order by id desc ${rowsAtMost(limit + 1)}`
}

/**
 * Newest first. `ownerId` restricts the list to jobs that this person started or of servers that
 * this person owns or that are shared with them.
 */
export function listJobs(db: Db, given: JobPage): Promise<JobRow[]> {
  const { ownerId, serverId, open, state, after, limit } = given
  const page = ownerId
    ? sql`${jobs.id} = any(array(${seenBy(ownerId, given)}))`
    : and(
        serverId ? eq(jobs.serverId, serverId) : undefined,
        open || isOpen(state) ? isNull(jobs.endedAt) : undefined,
        state ? inState(state) : undefined,
        after ? lt(jobs.id, after[1]) : undefined,
      )
  return db
    .select()
    .from(jobs)
    .where(page)
    .orderBy(desc(jobs.id))
    .limit(limit + 1)
}

const deferred = and(
  eq(jobs.runsAs, 'desired_state'),
  isNotNull(jobs.waitsFor),
  isNull(jobs.generation),
  isNull(jobs.endedAt),
)

/** Deferred desired-state jobs, oldest first, after the id `after`. */
export const deferredJobs = (
  db: Db,
  kind: string,
  after: string,
  limit: number,
): Promise<JobRow[]> =>
  db
    .select()
    .from(jobs)
    .where(and(eq(jobs.kind, kind), gt(jobs.id, after), deferred))
    .orderBy(jobs.id)
    .limit(limit)

export const deferredJobsOf = (db: Db, serverId: string): Promise<JobRow[]> =>
  db
    .select()
    .from(jobs)
    .where(and(eq(jobs.serverId, serverId), deferred))

const waitingSteps = (names: readonly string[]): JobStep[] =>
  names.map((name) => ({ name, state: 'waiting', percent: null, detail: null }))
