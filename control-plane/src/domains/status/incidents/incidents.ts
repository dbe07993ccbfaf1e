import { randomUUIDv7 } from 'node:crypto'
import type { CreateIncident, EditIncident, StatusIncident } from '@lodge/shared/status.ts'
import type { Ctx } from '../../../context.ts'
import { requireFree } from '../../../db/cap.ts'
import { cutPage, decodeCursor } from '../../../db/cursor.ts'
import type { Db } from '../../../db/database.ts'
import type { Resource } from '../../../http/access.ts'
import { invalid } from '../../../http/input.ts'
import { notFound, Problem } from '../../../problem.ts'
import { presentComponents } from '../components/store.ts'
import type { IncidentRow, UpdateRow } from '../tables.ts'
import { isOver, stateOf } from './states.ts'
import * as store from './store.ts'

export const incident: Resource<'incident', IncidentRow, never> = {
  name: 'incident',
  loads: (ctx, id) => store.findIncident(ctx.db, id),
  permits: (actor) => actor.role === 'admin',
}

export async function pageOfIncidents(
  ctx: Ctx,
  query: { kind?: IncidentRow['kind'] | undefined; after?: string | undefined; limit: number },
): Promise<{ items: StatusIncident[]; nextCursor: string | null }> {
  const rows = await store.listIncidents(ctx.db, {
    kind: query.kind,
    after: decodeCursor(query.after),
    limit: query.limit,
  })
  const page = cutPage(rows, query.limit, ({ id }) => ['', id])
  return { ...page, items: await describe(ctx, page.items) }
}

/** Incidents with their updates, for those who run the page. */
export async function describe(
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  rows: readonly IncidentRow[],
): Promise<StatusIncident[]> {
  const ids = rows.map(({ id }) => id)
  const [updates, components] = await Promise.all([
    store.updatesOf(db, ids),
    store.componentsOf(db, ids),
  ])
  return rows.map((row) => ({
    ...{ id: row.id, kind: row.kind, title: row.title, impact: row.impact },
    state: stateOf(row, now),
    startsAt: row.startsAt.toISOString(),
    endsAt: endOf(row)?.toISOString() ?? null,
    updates: (updates.get(row.id) ?? []).map(({ id, state, body, at }) => ({
      ...{ id, state, body },
      at: at.toISOString(),
    })),
    componentIds: components.get(row.id) ?? [],
    announced: row.announced,
    publishedAt: row.publishedAt?.toISOString() ?? null,
  }))
}

/**
 * When it ended or is planned to end; maintenance cancelled before it began keeps its planned end.
 */
const endOf = ({ startsAt, endsAt, endedAt }: IncidentRow): Date | null =>
  endedAt !== null && endedAt >= startsAt ? endedAt : endsAt

export async function showIncident(ctx: Ctx, id: string): Promise<StatusIncident> {
  const row = await store.findIncident(ctx.db, id)
  const [shown] = row ? await describe(ctx, [row]) : []
  if (!shown) throw notFound('incident')
  return shown
}

export const createIncident = (ctx: Ctx, given: CreateIncident): Promise<StatusIncident> =>
  ctx.transaction(async (ctx) => {
    await requireFree(ctx.db, store.incidentCap)
    await requireComponents(ctx.db, given.componentIds)
    const row = {
      ...{ id: randomUUIDv7(), kind: given.kind, title: given.title },
      announced: given.announced,
      ...timesOf(given, ctx.now),
    }
    await store.insertIncident(ctx.db, row)
    await store.setComponents(ctx.db, row.id, given.componentIds)
    const update: UpdateRow = {
      ...{ id: randomUUIDv7(), incidentId: row.id, body: given.body, at: ctx.now },
      state: given.kind === 'incident' ? given.state : 'scheduled',
    }
    await store.insertUpdate(ctx.db, update)
    if (given.publish) await publish(ctx, row.id)
    return showIncident(ctx, row.id)
  })

function timesOf(given: CreateIncident, now: Date) {
  if (given.kind === 'incident')
    return { state: given.state, impact: given.impact, startsAt: now, endsAt: null }
  const [startsAt, endsAt] = [new Date(given.startsAt), new Date(given.endsAt)]
  requireTimes(startsAt, endsAt, now)
  return { state: null, impact: null, startsAt, endsAt }
}

function requireTimes(startsAt: Date, endsAt: Date, now: Date): void {
  if (endsAt <= startsAt) throw invalid([{ pointer: '/endsAt', detail: 'must be after the start' }])
  if (endsAt <= now) throw invalid([{ pointer: '/endsAt', detail: 'must not have passed' }])
}

async function requireComponents(db: Db, ids: readonly string[]): Promise<void> {
  const present = await presentComponents(db, ids)
  const unknown = ids.findIndex((id) => !present.has(id))
  if (unknown >= 0)
    throw invalid([
      { pointer: `/componentIds/${unknown}`, detail: 'is no component of the status page' },
    ])
}

export const editIncident = (ctx: Ctx, id: string, given: EditIncident): Promise<StatusIncident> =>
  ctx.transaction(async (ctx) => {
    const row = await lockedIncident(ctx, id)
    const { componentIds, title, announced } = given
    const change = { title, announced, ...changeOf(row, given, ctx.now) }
    if (componentIds) {
      await requireComponents(ctx.db, componentIds)
      await store.setComponents(ctx.db, id, componentIds)
    }
    await store.updateIncident(
      ctx.db,
      id,
      Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)),
    )
    if (row.publishedAt !== null && (row.announced || announced === true)) await announce(ctx, id)
    return showIncident(ctx, id)
  })

/** Fields that apply to only one of the two kinds. */
function changeOf(row: IncidentRow, given: EditIncident, now: Date): Partial<IncidentRow> {
  const { impact, startsAt, endsAt } = given
  if (row.kind === 'incident') {
    if (startsAt !== undefined || endsAt !== undefined)
      throw new Problem('invalid_state', 'Only maintenance has planned times: post an update')
    return impact === undefined ? {} : { impact }
  }
  if (impact !== undefined)
    throw new Problem('invalid_state', 'Maintenance has no impact: open an incident beside it')
  if (startsAt === undefined && endsAt === undefined) return {}
  const isDraft = row.publishedAt === null
  if (!isDraft && isOver(row, now))
    throw new Problem('invalid_state', 'This maintenance is over: plan another one')
  const from = startsAt === undefined ? row.startsAt : new Date(startsAt)
  if (!isDraft && row.startsAt <= now && from.getTime() !== row.startsAt.getTime())
    throw new Problem('invalid_state', 'This maintenance has begun: only its end can change')
  const until = endsAt === undefined ? (row.endsAt ?? from) : new Date(endsAt)
  requireTimes(from, until, now)
  return { startsAt: from, endsAt: until }
}

export async function lockedIncident({ db }: Pick<Ctx, 'db'>, id: string): Promise<IncidentRow> {
  const row = await store.lockIncident(db, id)
  if (!row) throw notFound('incident')
  return row
}

/** Publishes a draft; its text counts as posted now. */
export const publish = (ctx: Ctx, id: string): Promise<StatusIncident> =>
  ctx.transaction(async (ctx) => {
    const row = await lockedIncident(ctx, id)
    if (row.publishedAt !== null)
      throw new Problem('invalid_state', 'It is already on the status page')
    if (row.kind === 'maintenance' && isOver(row, ctx.now))
      throw new Problem('invalid_state', 'Its time has passed: change the times first')
    await store.updateIncident(ctx.db, id, {
      publishedAt: ctx.now,
      ...(row.kind === 'incident' && { startsAt: ctx.now }),
    })
    await store.moveUpdates(ctx.db, id, ctx.now)
    const [last] = (await store.updatesOf(ctx.db, [id])).get(id) ?? []
    if (last) await tell(ctx, row, last)
    return showIncident(ctx, id)
  })

/** Notifies everybody who follows the public page. */
export async function tell(
  ctx: Ctx,
  { id: incidentId, title, announced }: IncidentRow,
  { id: updateId, state, body }: UpdateRow,
): Promise<void> {
  if (announced) await announce(ctx, incidentId)
  await ctx.emit('status.told', { incidentId, updateId, title, state, body })
}

/** Open panels fetch announcements again. */
const announce = ({ db, live }: Pick<Ctx, 'db' | 'live'>, id: string): Promise<void> =>
  live.announce(db, { kind: 'announcement', id })

/** Deletes an incident with its updates; recorded uptime stays. */
export const removeIncident = (ctx: Ctx, id: string): Promise<void> =>
  ctx.transaction(async (ctx) => {
    const { announced, publishedAt } = await lockedIncident(ctx, id)
    await store.deleteIncident(ctx.db, id)
    if (announced && publishedAt !== null) await announce(ctx, id)
  })
