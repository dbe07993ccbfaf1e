import type { SignIns } from '@lodge/shared/accounts.ts'
import { deviceOf } from '@lodge/shared/device.ts'
import { pageOfAudit } from '../../../audit/view.ts'
import type { Ctx } from '../../../context.ts'
import type { UserRow } from '../../customers/index.ts'
import { tellEnded } from '../end-access.ts'
import * as store from '../store.ts'

const RECENT = 20

/** A customer's open sessions, and their last sign-ins as the audit record has them. */
export async function signInsOf(
  ctx: Ctx,
  { id }: UserRow,
): Promise<Omit<SignIns, 'secondFactors'>> {
  const [rows, recent] = await Promise.all([
    store.listSessions(ctx.db, id),
    pageOfAudit(ctx, { actorId: id, action: 'signed in' }, { limit: RECENT }),
  ])
  return {
    sessions: rows.map((row) => ({
      id: row.id,
      device: deviceOf(row.userAgent),
      address: row.address,
      createdAt: row.createdAt.toISOString(),
      lastSeenAt: row.lastSeenAt.toISOString(),
    })),
    recent: recent.items.map(({ id, at, address, detail }) => ({
      id,
      at,
      address,
      device: typeof detail.device === 'string' ? detail.device : null,
    })),
  }
}

/** Ends every session of a customer; API tokens, links and the password stay. */
export async function signOutEverywhere(ctx: Ctx, { id }: UserRow): Promise<{ ended: number }> {
  const ended = await store.deleteSessionsOf(ctx.db, id)
  await tellEnded(ctx, id, ended)
  return { ended: ended.length }
}
