import { randomUUIDv7 } from 'node:crypto'
import type {
  EditSuspension,
  SuspendCustomer,
  SuspensionOptions,
  SuspensionSettings,
} from '@lodge/shared/suspensions.ts'
import type { z } from 'zod'
import type { User } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { invalid } from '../../http/input.ts'
import { notFound, Problem } from '../../problem.ts'
import { lockOwner, type UserRow } from '../customers/index.ts'
import { cancelDeletionsOf } from '../servers/index.ts'
import { readSettings } from '../settings/index.ts'
import { takeEffect } from './effects.ts'
import { requireNotes } from './notes.ts'
import { suspensionSettings } from './settings.ts'
import * as store from './store.ts'
import type { SuspensionRow } from './tables.ts'

const DAY_MS = 86_400_000

/** Suspends a customer with all effects of the options, in one transaction. */
export async function suspendCustomer(
  ctx: Ctx<User>,
  customer: UserRow,
  given: z.output<typeof SuspendCustomer>,
): Promise<void> {
  if (given.note !== undefined) requireNotes(ctx.actor)
  await ctx.transaction(async (ctx) => {
    const account = await lockOwner(ctx.db, customer.id)
    if (!account) throw notFound('customer')
    requireSuspendable(account)
    const settings = await readSettings(ctx.db, suspensionSettings)
    const options = optionsOf(settings.options, given.options)
    const endsAt = endOf(ctx, given.endsAt ?? null)
    const row = await store.insertSuspension(ctx.db, {
      id: randomUUIDv7(),
      customerId: account.id,
      reasonCode: given.reasonCode,
      publicReason: given.publicReason,
      options,
      startedAt: ctx.now,
      endsAt,
      createdBy: ctx.actor.id,
      deleteServersAt: deletionOf(ctx.now, options),
    })
    const { note: text } = given
    if (text !== undefined)
      await store.insertNote(ctx.db, {
        ...{ id: randomUUIDv7(), suspensionId: row.id, authorId: ctx.actor.id, text },
      })
    await takeEffect(ctx, row)
    await ctx.emit('account.suspended', newsOf(account, row, settings))
  })
}

function requireSuspendable({ state, email }: UserRow): void {
  if (state === 'active') return
  if (state === 'suspended')
    throw new Problem(
      'conflict',
      `${email} is already suspended: change the options of that suspension instead`,
    )
  throw new Problem('invalid_state', `The account ${email} is not open yet: reject it instead`)
}

const newsOf = (
  { id: userId, email }: UserRow,
  row: SuspensionRow,
  settings: SuspensionSettings,
) => {
  const { options, publicReason, endsAt, deleteServersAt } = row
  return {
    ...{ userId, email, endsAt, deleteServersAt, options },
    reason: options.hideReason || publicReason === '' ? null : publicReason,
    mayAppeal: options.allowAppeal && settings.appealEnabled,
  }
}

/** Changes a suspension in force; what was revoked is not restored. */
export async function editSuspension(
  ctx: Ctx,
  customer: UserRow,
  change: z.output<typeof EditSuspension>,
): Promise<void> {
  await ctx.transaction(async (ctx) => {
    const { row: present } = await lockSuspended(ctx, customer.id)
    const options = optionsOf(present.options, change.options)
    const undone = present.serversDeletedAt !== null && options.deleteServersAfterDays === null
    const row = await store.updateSuspension(ctx.db, present.id, {
      options,
      ...(change.reasonCode !== undefined && { reasonCode: change.reasonCode }),
      ...(change.publicReason !== undefined && { publicReason: change.publicReason }),
      ...(change.endsAt !== undefined && { endsAt: endOf(ctx, change.endsAt) }),
      ...((undone || present.serversDeletedAt === null) && {
        deleteServersAt: deletionOf(present.startedAt, options),
        serversDeletedAt: null,
      }),
    })
    if (!row) throw notFound('suspension')
    if (JSON.stringify(options) === JSON.stringify(present.options)) return
    await takeEffect(ctx, row, present.options)
    if (undone) await cancelDeletionsOf(ctx, customer.id, 'account')
    await ctx.emit('account.suspension_changed', { userId: customer.id, options })
  })
}

/**
 * Locks the account and its suspension in force; always in this order, to prevent deadlocks.
 * @throws {Problem} invalid_state
 */
export async function lockSuspended(ctx: Ctx, customerId: string) {
  const account = await lockOwner(ctx.db, customerId)
  const row = account && (await store.lockActive(ctx.db, customerId))
  if (!row) throw new Problem('invalid_state', 'The account is not suspended')
  return { account, row, settings: await readSettings(ctx.db, suspensionSettings) }
}

const optionsOf = (
  present: SuspensionOptions,
  change: z.output<typeof EditSuspension>['options'] = {},
): SuspensionOptions => ({
  ...present,
  ...Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)),
})

function endOf({ now }: Ctx, given: string | null): Date | null {
  if (given === null) return null
  const endsAt = new Date(given)
  if (endsAt <= now) throw invalid([{ pointer: '/endsAt', detail: 'is in the past' }])
  return endsAt
}

const deletionOf = (from: Date, { deleteServersAfterDays }: SuspensionOptions): Date | null =>
  deleteServersAfterDays === null
    ? null
    : new Date(from.getTime() + deleteServersAfterDays * DAY_MS)
