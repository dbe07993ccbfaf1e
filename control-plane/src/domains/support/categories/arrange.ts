import { randomUUIDv7 } from 'node:crypto'
import type { Category, Group, WriteCategory, WriteGroup } from '@lodge/shared/support/desk.ts'
import type { Ctx } from '../../../context.ts'
import { lockCap, requireFree } from '../../../db/cap.ts'
import type { Resource } from '../../../http/access.ts'
import { invalid } from '../../../http/input.ts'
import { notFound, Problem } from '../../../problem.ts'
import { agentsById } from './agents-store.ts'
import { categoryCap, groupCap } from './cap-store.ts'
import * as store from './store.ts'
import type { CategoryRow, GroupRow } from './tables.ts'
import { categoryOf, groupsOf } from './view.ts'

export const category: Resource<'category', CategoryRow, never> = {
  name: 'category',
  loads: (ctx, id) => store.findCategory(ctx.db, id),
  permits: (actor) => actor.role === 'admin',
}

export const group: Resource<'group', GroupRow, never> = {
  name: 'group',
  loads: (ctx, id) => store.findGroup(ctx.db, id),
  permits: (actor) => actor.role === 'admin',
}

export const createCategory = (ctx: Ctx, given: WriteCategory): Promise<Category> =>
  ctx.transaction(async (ctx) => {
    await requireFree(ctx.db, categoryCap)
    return saveCategory(ctx, randomUUIDv7(), given)
  })

export const editCategory = (ctx: Ctx, id: string, given: WriteCategory): Promise<Category> =>
  ctx.transaction(async (ctx) => {
    await lockCap(ctx.db, categoryCap, '')
    return saveCategory(ctx, id, given)
  })

/** Under the cap's lock, so that names stay unique. */
async function saveCategory(ctx: Ctx, id: string, given: WriteCategory): Promise<Category> {
  const other = await store.categoryNamed(ctx.db, given.name)
  if (other && other.id !== id) throw named('category')
  if (given.groupId !== null && !(await store.findGroup(ctx.db, given.groupId)))
    throw invalid([{ pointer: '/groupId', detail: 'is no group' }])
  return categoryOf(await store.saveCategory(ctx.db, { id, ...given }))
}

export const createGroup = (ctx: Ctx, given: WriteGroup): Promise<Group> =>
  ctx.transaction(async (ctx) => {
    await requireFree(ctx.db, groupCap)
    return saveGroup(ctx, randomUUIDv7(), given)
  })

export const editGroup = (ctx: Ctx, id: string, given: WriteGroup): Promise<Group> =>
  ctx.transaction(async (ctx) => {
    await lockCap(ctx.db, groupCap, '')
    return saveGroup(ctx, id, given)
  })

async function saveGroup(
  ctx: Ctx,
  id: string,
  { memberIds: given, ...values }: WriteGroup,
): Promise<Group> {
  const other = await store.groupNamed(ctx.db, values.name)
  if (other && other.id !== id) throw named('group')
  const memberIds = [...new Set(given)]
  const agents = await agentsById(ctx.db, memberIds)
  const at = given.findIndex((one) => !agents.has(one))
  if (at >= 0)
    throw invalid([{ pointer: `/memberIds/${at}`, detail: 'is nobody who may see tickets' }])
  await store.saveGroup(ctx.db, { id, ...values }, memberIds)
  const saved = (await groupsOf(ctx.db)).find((one) => one.id === id)
  if (!saved) throw notFound('group')
  return saved
}

const named = (what: string) =>
  new Problem('duplicate', `There is another ${what} of this name: choose another name`)
