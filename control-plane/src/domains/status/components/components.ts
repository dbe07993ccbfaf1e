import { randomUUIDv7 } from 'node:crypto'
import type { CreateComponent, EditComponent, StatusComponent } from '@lodge/shared/status.ts'
import type { Ctx } from '../../../context.ts'
import { lockScope } from '../../../db/advisory-locks.ts'
import { requireFree } from '../../../db/cap.ts'
import type { Resource } from '../../../http/access.ts'
import { Problem } from '../../../problem.ts'
import type { ComponentRow } from '../tables.ts'
import { healthNow } from '../uptime/now.ts'
import { joinedLocations } from '../uptime/now-store.ts'
import * as store from './store.ts'

export const component: Resource<'component', ComponentRow, never> = {
  name: 'component',
  loads: (ctx, id) => store.findComponent(ctx.db, id),
  permits: (actor) => actor.role === 'admin',
}

/** Every component with its state, and the locations that a component can represent. */
export async function showComponents(
  ctx: Ctx,
): Promise<{ items: StatusComponent[]; locations: string[] }> {
  const [rows, now, locations] = await Promise.all([
    store.listComponents(ctx.db),
    healthNow(ctx.db),
    joinedLocations(ctx.db),
  ])
  const items = rows.map(({ id, name, description, source, location, shown }) => {
    const { state, measured } = now.get(id) ?? { state: null, measured: null }
    return {
      ...{ id, name, description, source, location, shown },
      state: state ?? ('unknown' as const),
      measured: measured ?? ('unknown' as const),
    }
  })
  return { items, locations }
}

export const createComponent = (ctx: Ctx, given: CreateComponent): Promise<{ id: string }> =>
  ctx.transaction(async ({ db }) => {
    await requireFree(db, store.componentCap)
    const location = given.source === 'location' ? given.location : null
    const row = await store.insertComponent(db, { ...given, id: randomUUIDv7(), location })
    if (!row)
      throw new Problem(
        'conflict',
        'This location already has a component: change that one, or choose another location',
      )
    return { id: row.id }
  })

export async function editComponent(
  { db }: Ctx,
  { id, source }: ComponentRow,
  given: EditComponent,
): Promise<void> {
  if (given.health !== undefined && source !== 'manual')
    throw new Problem(
      'invalid_state',
      'The state of this component is measured: open an incident to say that something is wrong',
    )
  await store.updateComponent(db, id, given)
}

/** Changes the display order; components that are not named follow. */
export const orderComponents = (ctx: Ctx, ids: readonly string[]): Promise<void> =>
  ctx.transaction(async ({ db }) => {
    await lockScope(db, 'order of the status page')
    await store.orderComponents(db, ids)
  })
