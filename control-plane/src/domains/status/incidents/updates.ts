import { randomUUIDv7 } from 'node:crypto'
import { INCIDENT_STATES, type PostUpdate, type StatusIncident } from '@lodge/shared/status.ts'
import type { Ctx } from '../../../context.ts'
import { requireFree } from '../../../db/cap.ts'
import { invalid } from '../../../http/input.ts'
import { notFound, Problem } from '../../../problem.ts'
import type { IncidentRow } from '../tables.ts'
import { lockedIncident, showIncident, tell } from './incidents.ts'
import { isOver, stateOf } from './states.ts'
import * as store from './store.ts'

type OwnState = (typeof INCIDENT_STATES)[number]
const isOwn = (state: string): state is OwnState => INCIDENT_STATES.some((own) => own === state)

/** Posts an update of an incident or maintenance, which may change its state. */
export const postUpdate = (ctx: Ctx, id: string, given: PostUpdate): Promise<StatusIncident> =>
  ctx.transaction(async (ctx) => {
    const row = await lockedIncident(ctx, id)
    await requireFree(ctx.db, store.updateCap, id)
    const change = row.kind === 'incident' ? ofIncident(row, given, ctx) : ofWork(row, given, ctx)
    await store.updateIncident(ctx.db, id, change)
    const changed = { ...row, ...change }
    const update = {
      ...{ id: randomUUIDv7(), incidentId: id, body: given.body, at: ctx.now },
      state: stateOf(changed, ctx.now),
    }
    await store.insertUpdate(ctx.db, update)
    if (row.publishedAt !== null) await tell(ctx, changed, update)
    return showIncident(ctx, id)
  })

/** Any other state reopens a resolved incident. */
function ofIncident(
  row: IncidentRow,
  { state = row.state ?? 'investigating' }: PostUpdate,
  { now }: Ctx,
): Partial<IncidentRow> {
  if (!isOwn(state)) throw invalid([{ pointer: '/state', detail: 'is a state of maintenance' }])
  if (state === 'resolved' && row.publishedAt === null)
    throw new Problem('invalid_state', 'Publish the draft first, or delete it')
  return { state, endedAt: state === 'resolved' ? (row.endedAt ?? now) : null }
}

function ofWork(row: IncidentRow, { state }: PostUpdate, { now }: Ctx): Partial<IncidentRow> {
  if (state === undefined) return {}
  if (state !== 'completed' && state !== 'cancelled')
    throw invalid([
      { pointer: '/state', detail: 'must be completed or cancelled: the others follow the clock' },
    ])
  if (row.publishedAt === null)
    throw new Problem('invalid_state', 'Publish the draft first, or delete it')
  if (isOver(row, now)) throw new Problem('invalid_state', 'This maintenance is over already')
  if (state === 'completed' && row.startsAt > now)
    throw new Problem('invalid_state', 'This maintenance has not begun: cancel it instead')
  return { endedAt: now, cancelled: state === 'cancelled' }
}

/** Corrects the text of an update; nobody is mailed again. */
export const rewordUpdate = (
  ctx: Ctx,
  id: string,
  updateId: string,
  body: string,
): Promise<StatusIncident> =>
  ctx.transaction(async (ctx) => {
    await lockedIncident(ctx, id)
    if (!(await store.rewordUpdate(ctx.db, id, updateId, body))) throw notFound('update')
    return showIncident(ctx, id)
  })
