import { type Ctx, contextFor } from '../../../context.ts'
import type { Services } from '../../../services.ts'
import { statusSettings } from '../settings.ts'
import { healthNow } from './now.ts'
import { recordMinute, takeMinute } from './store.ts'

/**
 * Records the current minute of every component, once for all control planes: the transaction that
 * advances the clock past it records it. Unknown states are left out.
 * @returns how many components were recorded
 */
export async function recordPresent(services: Services): Promise<number> {
  if (!(await statusSettings(services.db)).enabled) return 0
  const ctx: Ctx = contextFor(services, { kind: 'system' })
  return ctx.transaction(async ({ db }) => {
    const minute = await takeMinute(db)
    if (!minute) return 0
    const known = [...(await healthNow(db))].flatMap(([id, { state }]) =>
      state === null ? [] : [{ id, state }],
    )
    await recordMinute(db, minute, known)
    return known.length
  })
}
