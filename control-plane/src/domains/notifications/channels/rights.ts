import { hasPermission } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { asActor, type UserRow } from '../../customers/index.ts'
import type { DeliveryRow } from './delivery-store.ts'
import { serversSeenBy } from './questions.ts'

/** The messages that the person may still see with their current rights. */
export async function mayStillKnow(
  ctx: Ctx,
  user: UserRow,
  rows: readonly DeliveryRow[],
): Promise<DeliveryRow[]> {
  const actor = asActor(user)
  const serverIds = [...new Set(rows.flatMap(({ serverId }) => serverId ?? []))]
  const seen = await ctx.catalogue.answers.to(serversSeenBy)(ctx.db, user.id, serverIds)
  return rows.filter(({ serverId, needs }) =>
    needs === null
      ? serverId === null || seen.get(serverId) !== false
      : hasPermission(actor, needs),
  )
}
