import type { ServerReturn } from '@lodge/shared/failover.ts'
import type { Ctx } from '../../context.ts'
import { lastReturn } from './store.ts'

/** As many days as its former copy is kept. */
const SHOWN_DAYS = 7

/** The last time that a server was brought back, shown for as long as its former copy may exist. */
export async function returnOf(
  { db }: Pick<Ctx, 'db'>,
  serverId: string,
): Promise<ServerReturn['returned']> {
  const found = await lastReturn(db, serverId, SHOWN_DAYS)
  if (!found) return null
  const { at, filesOf } = found
  return { at: at.toISOString(), filesOf: filesOf?.toISOString() ?? null }
}
