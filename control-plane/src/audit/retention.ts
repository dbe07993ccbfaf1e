import { contextFor } from '../context.ts'
import type { Vault } from '../secrets/vault.ts'
import type { Services } from '../services.ts'
import * as store from './store.ts'

const SEALS_AT_ONCE = 500

/** Proves that retention, not somebody with database access, cut the chain after this seal. */
export const anchorProof = (
  vault: Vault,
  anchor: { readonly number: number; readonly signature: Buffer },
): Buffer =>
  vault.sign('audit anchor', Buffer.concat([Buffer.from(`${anchor.number}|`), anchor.signature]))

/**
 * Deletes whole seals older than the given number of days and records where the chain now begins.
 */
export async function deleteOldRecords(
  services: Services,
  auditDays: number,
): Promise<{ rows: number }> {
  const ctx = contextFor(services, { kind: 'system' })
  let rows = 0
  for (;;) {
    const count = await ctx.transaction(async ({ db, now, vault }) => {
      // The sealing lock: a seal must not be chained to one that is being deleted.
      if (!(await store.lockSealing(db))) return 0
      const until = new Date(now.getTime() - auditDays * 86_400_000)
      const seals = await store.oldestSeals(db, until, SEALS_AT_ONCE)
      const last = seals.at(-1)
      if (!last) return 0
      const anchor = { number: last.number, signature: last.signature }
      rows += await store.forgetThrough(db, last.number, anchorProof(vault, anchor))
      return seals.length
    })
    if (count < SEALS_AT_ONCE) return { rows }
  }
}
