import type { Db } from '../../../db/database.ts'
import { asActor, findUser } from '../../customers/index.ts'
import { findView } from '../view/view.ts'
import { permits } from './access.ts'
import { findRights } from './store.ts'

/** Which of these servers a person may see; deleted ones are missing. */
export async function seenServers(
  db: Db,
  userId: string,
  serverIds: readonly string[],
): Promise<ReadonlyMap<string, boolean>> {
  const user = serverIds.length > 0 ? await findUser(db, userId) : undefined
  const seen = new Map<string, boolean>()
  if (!user) return seen
  const actor = asActor(user)
  for (const id of serverIds) {
    const server = await findView(db, id)
    if (!server) continue
    const rights = (await findRights(db, id, userId)) ?? null
    seen.set(id, permits(actor, { ownerId: server.ownerId, rights }, undefined))
  }
  return seen
}
