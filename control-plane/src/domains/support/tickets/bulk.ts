import type { BulkResults, BulkTickets } from '@lodge/shared/support/tickets.ts'
import type { User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { Problem } from '../../../problem.ts'
import { lockedTicket } from './locked.ts'
import { workOn } from './work.ts'

/**
 * Changes many tickets independently: one that cannot be changed stays as it was, with the reason.
 */
export async function changeMany(
  ctx: Ctx<User>,
  { ids, ...work }: BulkTickets,
): Promise<BulkResults> {
  const results = new Map<string, BulkResults['results'][number]>()
  // In order of id, the lock order.
  for (const id of [...new Set(ids)].sort()) results.set(id, await changeOne(ctx, id, work))
  return { results: [...results.values()] }
}

async function changeOne(ctx: Ctx<User>, id: string, work: Omit<BulkTickets, 'ids'>) {
  try {
    await ctx.transaction(async (ctx) => workOn(ctx, await lockedTicket(ctx, id), work))
    return { id }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.status === 403) throw error
    return { id, problem: { code: error.code, detail: error.message } }
  }
}
