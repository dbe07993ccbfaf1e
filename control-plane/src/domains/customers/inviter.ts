import type { Ctx } from '../../context.ts'
import { findUser } from './store.ts'

/**
 * Who invites a customer: the caller's name if there is one, because customers must not see
 * administrators' addresses.
 */
export const nameOfInviter = async ({ db, actor }: Ctx): Promise<string | null> =>
  actor.kind === 'user' ? ((await findUser(db, actor.id))?.name ?? null) : null
