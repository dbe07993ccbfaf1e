import { randomUUIDv7 } from 'node:crypto'
import type { Macro, WriteMacro } from '@lodge/shared/support/macros.ts'
import { hasPermission, type User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { lockCap, requireFree } from '../../../db/cap.ts'
import type { Resource } from '../../../http/access.ts'
import { invalid } from '../../../http/input.ts'
import { notFound } from '../../../problem.ts'
import { requireStaff } from '../tickets/reader.ts'
import * as store from './store.ts'
import type { MacroRow } from './tables.ts'

/** A macro; a personal one is visible to its owner only. */
export const macro: Resource<'macro', MacroRow, never> = {
  name: 'macro',
  loads: (ctx, id) => store.findMacro(ctx.db, id),
  permits: (actor, { ownerId }) => ownerId === null || ownerId === actor.id,
}

/** Those who configure the desk may change shared macros; everybody their own. */
const mayEdit = (actor: User, { ownerId }: Pick<MacroRow, 'ownerId'>): boolean =>
  ownerId === actor.id || (ownerId === null && hasPermission(actor, 'support.settings'))

const describe = (actor: User, { ownerId, updatedAt: _, ...row }: MacroRow): Macro => ({
  ...row,
  own: ownerId === actor.id,
  mayEdit: mayEdit(actor, { ownerId }),
})

/** The macros that the caller can use or edit. */
export async function macrosOf({ db, actor }: Ctx<User>): Promise<{ items: Macro[] }> {
  const allGroups = hasPermission(actor, 'support.settings')
  const rows = await store.listMacros(db, { userId: actor.id, allGroups })
  return { items: rows.map((row) => describe(actor, row)) }
}

/** Creates a macro, or replaces the one with this id. */
export async function writeMacro(ctx: Ctx<User>, given: WriteMacro): Promise<Macro> {
  const { db, actor } = ctx
  const { id, name, scope, groupId, actions } = given
  const isPersonal = scope === 'personal'
  if (!isPersonal) requireStaff(actor, 'support.settings')
  await lockCap(db, store.macroCap, '')
  const present = id === undefined ? undefined : await store.lockMacro(db, id)
  if (id !== undefined && !(present && macro.permits(actor, present, undefined)))
    throw notFound('macro')
  if (present) requireMayEdit(actor, present)
  else await requireFree(db, store.macroCap)
  if (groupId !== null && !(await store.groupExists(db, groupId)))
    throw invalid([{ pointer: '/groupId', detail: 'is no group of the desk' }])
  const row: MacroRow = {
    ...{ id: id ?? randomUUIDv7(), name, scope, groupId, actions, updatedAt: ctx.now },
    ownerId: isPersonal ? actor.id : null,
  }
  await store.saveMacro(db, row)
  return describe(actor, row)
}

export async function deleteMacro(ctx: Ctx<User>, loaded: MacroRow): Promise<void> {
  requireMayEdit(ctx.actor, loaded)
  await store.deleteMacro(ctx.db, loaded.id)
}

function requireMayEdit(actor: User, row: MacroRow): void {
  if (!mayEdit(actor, row)) requireStaff(actor, 'support.settings')
}
