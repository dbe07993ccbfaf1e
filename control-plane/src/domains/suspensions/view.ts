import type {
  Appeal,
  OwnSuspension,
  Suspension,
  SuspensionHistory,
} from '@lodge/shared/suspensions.ts'
import type { User } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import type { UserRow } from '../customers/index.ts'
import { readSettings } from '../settings/index.ts'
import { standingOf } from './appeals/rules.ts'
import { appealsOf } from './appeals/view.ts'
import { mayReadNotes } from './notes.ts'
import { suspensionSettings } from './settings.ts'
import * as store from './store.ts'

const personOf = (id: string | null, email: string | null) =>
  id === null || email === null ? null : { id, email }
const textOf = (at: Date | null): string | null => at?.toISOString() ?? null

/** A customer's suspensions as staff see them. */
export async function historyOf(ctx: Ctx<User>, customer: UserRow): Promise<SuspensionHistory> {
  const rows = await store.listSuspensions(ctx.db, customer.id)
  const mayRead = mayReadNotes(ctx.actor)
  const notes = mayRead ? await store.listNotes(ctx.db, customer.id) : []
  const appeals = await appealsOf(
    ctx.db,
    rows.map(({ id }) => id),
    'staff',
  )
  const all = rows.map((row): Suspension => {
    const own = notes.filter(({ suspensionId }) => suspensionId === row.id)
    const { id, reasonCode, publicReason, options, liftReason } = row
    return {
      ...{ id, reasonCode, publicReason, options, liftReason },
      startedAt: row.startedAt.toISOString(),
      endsAt: textOf(row.endsAt),
      createdBy: personOf(row.createdBy, row.createdByEmail),
      liftedAt: textOf(row.liftedAt),
      liftedBy: personOf(row.liftedBy, row.liftedByEmail),
      deleteServersAt: textOf(row.deleteServersAt),
      erased: row.erasedAt !== null,
      notes: mayRead
        ? own.map(({ id, author, text, createdAt }) => ({
            ...{ id, author, text },
            createdAt: createdAt.toISOString(),
          }))
        : null,
      appeals: [...(appeals.get(id) ?? [])],
    }
  })
  return {
    active: all.find(({ liftedAt }) => liftedAt === null) ?? null,
    history: all.filter(({ liftedAt }) => liftedAt !== null),
  }
}

/** The caller's own suspension; null if there is none. */
export async function ownSuspension(ctx: Ctx<User>): Promise<OwnSuspension | null> {
  const row = await store.findActive(ctx.db, ctx.actor.id)
  if (!row) return null
  const settings = await readSettings(ctx.db, suspensionSettings)
  const appeals: readonly Appeal[] =
    (await appealsOf(ctx.db, [row.id], 'customer')).get(row.id) ?? []
  const { options } = row
  const isReasonShown = !options.hideReason
  const { signIn = false, dataExport = false, tickets = false } = ctx.actor.suspended ?? {}
  return {
    startedAt: row.startedAt.toISOString(),
    endsAt: textOf(row.endsAt),
    reasonCode: isReasonShown ? row.reasonCode : null,
    reason: isReasonShown && row.publicReason !== '' ? row.publicReason : null,
    serversStopped: options.stopServers,
    deleteServersAt: textOf(row.deleteServersAt),
    mayExportData: signIn && dataExport,
    mayUseTickets: signIn && tickets,
    mayPay: signIn,
    appeal: { ...standingOf(row, appeals, settings, ctx.now), appeals: [...appeals] },
  }
}
