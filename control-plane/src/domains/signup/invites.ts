import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { emailAddress } from '@lodge/shared/accounts.ts'
import { z } from 'zod'
import type { User } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { requireFree } from '../../db/cap.ts'
import { cutPage, decodeCursor } from '../../db/cursor.ts'
import { invalid } from '../../http/input.ts'
import { planExists, planNames } from '../plans/index.ts'
import { inviteCap } from './cap-store.ts'
import { codeHashOf } from './register.ts'
import * as store from './store.ts'

export const Invite = z.object({
  id: z.uuid(),
  /** First part of the code, for recognition. */
  prefix: z.string(),
  email: z.string().nullable(),
  note: z.string().nullable(),
  maxUses: z.int(),
  uses: z.int(),
  expiresAt: z.iso.datetime().nullable(),
  planId: z.uuid().nullable(),
  planName: z.string().nullable(),
  createdAt: z.iso.datetime(),
})
export const CreateInvite = z.strictObject({
  email: emailAddress.optional(),
  note: z.string().trim().max(500).optional(),
  expiresInDays: z.int().min(1).max(365).optional(),
  maxUses: z.int().min(1).max(10_000).optional(),
  planId: z.uuid().optional(),
})

const describe = (
  row: store.InviteRow,
  plans: ReadonlyMap<string, string>,
): z.infer<typeof Invite> => ({
  id: row.id,
  prefix: row.prefix,
  email: row.email,
  note: row.note,
  maxUses: row.maxUses,
  uses: row.uses,
  expiresAt: row.expiresAt?.toISOString() ?? null,
  planId: row.planId,
  planName: row.planId === null ? null : (plans.get(row.planId) ?? null),
  createdAt: row.createdAt.toISOString(),
})

const plansOf = (ctx: Ctx, rows: readonly store.InviteRow[]) =>
  planNames(ctx.db, [...new Set(rows.flatMap(({ planId }) => (planId === null ? [] : [planId])))])

export async function pageOfInvites(
  ctx: Ctx,
  query: { limit: number; after?: string | undefined },
): Promise<{ items: z.infer<typeof Invite>[]; nextCursor: string | null }> {
  const after = decodeCursor(query.after)
  const rows = await store.listInvites(ctx.db, { limit: query.limit, after })
  const { items, nextCursor } = cutPage(rows, query.limit, ({ id }) => ['', id])
  const plans = await plansOf(ctx, items)
  return { items: items.map((row) => describe(row, plans)), nextCursor }
}

/** Creates a code; it is only in the response. */
export async function createInvite(ctx: Ctx<User>, given: z.output<typeof CreateInvite>) {
  if (given.planId !== undefined && !(await planExists(ctx.db, given.planId)))
    throw invalid([{ pointer: '/planId', detail: 'is no account plan that can be had' }])
  const prefix = randomBytes(3).toString('hex')
  const code = `${prefix}-${randomBytes(10)
    .toString('hex')
    .replaceAll(/(.{5})(?=.)/g, '$1-')}`
  const days = given.expiresInDays
  const row = await ctx.transaction(async ({ db, now, actor }) => {
    await requireFree(db, inviteCap)
    return store.insertInvite(db, {
      id: randomUUIDv7(),
      codeHash: codeHashOf(code),
      prefix,
      email: given.email ?? null,
      note: given.note ?? null,
      maxUses: given.maxUses ?? 1,
      expiresAt: days === undefined ? null : new Date(now.getTime() + days * 86_400_000),
      planId: given.planId ?? null,
      createdBy: actor.id,
    })
  })
  return { ...describe(row, await plansOf(ctx, [row])), code }
}
