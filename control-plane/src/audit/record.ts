import { randomUUIDv7 } from 'node:crypto'
import type { User } from '../actor.ts'
import type { Ctx } from '../context.ts'
import type { Recorded } from '../events/records.ts'
import { rowHashOf } from './row-hash.ts'
import { insertAudit } from './store.ts'

function kindOf(user: User | undefined, isKnown: boolean) {
  if (user?.plugin) return 'plugin' as const
  if (user?.scopes) return 'token' as const
  return isKnown ? ('user' as const) : ('system' as const)
}

/** Appends an entry to the audit log, in the caller's transaction. */
export async function record(ctx: Pick<Ctx, 'actor' | 'db'>, given: Recorded): Promise<void> {
  const user = ctx.actor.kind === 'user' ? ctx.actor : undefined
  // A viewer acts under their own name.
  const person = user?.viewer ? { ...user.viewer, address: user.address } : user
  const who = given.as ?? person
  const row = {
    id: randomUUIDv7(),
    at: new Date(),
    actorKind: kindOf(user, who !== undefined),
    actorId: who?.id ?? null,
    actorEmail: who?.email ?? null,
    tokenId: user?.scopes && !user.plugin ? user.sessionId : null,
    address: who?.address ?? null,
    action: given.action,
    targetId: given.targetId ?? null,
    serverId: given.serverId ?? null,
    requestId: given.requestId ?? null,
    detail: JSON.stringify({
      ...Object(given.detail),
      ...(user?.plugin && { plugin: user.plugin.name }),
    }),
  }
  await insertAudit(ctx.db, { ...row, rowHash: rowHashOf(row) })
}
