import type { SuspensionCause } from '@lodge/shared/servers.ts'
import type { User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { Problem } from '../../../problem.ts'
import { changeDesired } from '../desired-state/desired-state.ts'
import { deleteHold, insertHold, suspensionsOf } from '../hold-store.ts'
import { newsOf } from '../news/news.ts'
import type { ServerRow } from '../tables.ts'

/**
 * The cause of a manual suspension: API tokens have their own, so they cannot lift one set by a
 * person.
 */
export const causeOf = (actor: User): SuspensionCause => (actor.scopes ? 'token' : 'administrator')

/**
 * Keeps a server stopped for this cause, whatever its owner wants. The caller has locked the server's
 * row. Idempotent per cause.
 */
export async function suspend(
  ctx: Ctx,
  row: ServerRow,
  cause: SuspensionCause,
): Promise<ServerRow> {
  if (await insertHold(ctx.db, row.id, 'suspension', cause))
    await ctx.emit('server.suspended', { ...(await newsOf(ctx.db, row)), cause })
  return changeDesired(ctx, row, { desiredEnding: 'graceful' })
}

/**
 * The causes that somebody may lift: a person also lifts that of a payment dispute, whose end may
 * never be reported.
 */
export const liftedBy = (actor: User): readonly SuspensionCause[] =>
  actor.scopes ? ['token'] : ['administrator', 'dispute']

/**
 * Lifts a suspension for these causes; others remain in force. The caller has locked the server's
 * row.
 * @throws {Problem} hold_active if it is suspended for other causes only
 */
export async function liftSuspension(
  ctx: Ctx,
  row: ServerRow,
  causes: readonly SuspensionCause[],
): Promise<ServerRow> {
  const lifted: SuspensionCause[] = []
  for (const cause of causes)
    if (await deleteHold(ctx.db, row.id, 'suspension', cause)) lifted.push(cause)
  if (lifted.length === 0) {
    const others = await suspensionsOf(ctx.db, row.id)
    throw new Problem(
      'hold_active',
      `The server is also suspended for another reason, which is lifted where it was set: ${others.map((one) => SET_BY[one] ?? one).join(', ')}`,
    )
  }
  const news = await newsOf(ctx.db, row)
  for (const cause of lifted) await ctx.emit('server.unsuspended', { ...news, cause })
  return changeDesired(ctx, row, {})
}

const SET_BY: Readonly<Record<string, string>> = {
  account: 'its account is suspended',
  billing: 'billing',
  dispute: 'a payment dispute',
  token: 'a program with an API token',
  administrator: 'an administrator',
} satisfies Record<SuspensionCause, string>
