import type { Ctx } from '../../../context.ts'
import type { SuspensionRow } from '../tables.ts'
import { findUndecided, updateAppeal } from './appeal-store.ts'

/**
 * Closes the appeal of a suspension that is lifted.
 * @param by who lifted it and thus granted the appeal; null if its time was over
 */
export async function endOpenAppeal(
  ctx: Ctx,
  { id }: SuspensionRow,
  by: string | null,
): Promise<void> {
  const appeal = await findUndecided(ctx.db, id)
  if (!appeal) return
  await updateAppeal(ctx.db, appeal.id, {
    state: by === null ? 'withdrawn' : 'granted',
    decidedAt: ctx.now,
    decidedBy: by,
    waitingSince: null,
  })
}
