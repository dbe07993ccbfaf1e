import type { Vault } from '../secrets/vault.ts'
import type { Services } from '../services.ts'
import { headOf } from './head.ts'
import * as store from './store.ts'

const BATCH = 2000
const EMPTY = Buffer.alloc(32)

export type Sealed = Pick<store.SealRow, 'number' | 'seqs' | 'rowHashes'>

/** The signature of a seal covers its rows and the previous signature. */
export const signatureOf = (vault: Vault, seal: Sealed, previous: Buffer | undefined): Buffer =>
  vault.sign(
    'audit seal',
    Buffer.concat([
      Buffer.from(`${seal.number}|${seal.seqs.join(',')}|`),
      previous ?? EMPTY,
      seal.rowHashes,
    ]),
  )

/** Seals new entries in batches, so that recording never waits for sealing. */
export async function sealRecorded({
  db,
  vault,
  auditHead,
}: Services): Promise<{ sealed: number }> {
  let sealed = 0
  for (;;) {
    const made = await db.transaction(async (tx) => {
      if (!(await store.lockSealing(tx))) return undefined
      const rows = await store.unsealedRows(tx, BATCH)
      if (rows.length === 0) return undefined
      // If retention deleted all seals, the chain continues from the anchor it left.
      const last = (await store.lastSeal(tx)) ?? (await store.findAnchor(tx))
      await auditHead.check(last && headOf(last))
      const seal = {
        number: (last?.number ?? 0) + 1,
        seqs: rows.map((row) => row.seq),
        rowHashes: Buffer.concat(rows.map((row) => row.rowHash)),
      }
      const signature = signatureOf(vault, seal, last?.signature)
      await store.insertSeal(tx, { ...seal, signature, count: rows.length })
      return { head: headOf({ ...seal, signature }), count: rows.length }
    })
    // Only after the commit: a head of a rolled-back seal would look like a truncated record.
    if (made) await auditHead.keep(made.head)
    sealed += made?.count ?? 0
    if (!made || made.count < BATCH) return { sealed }
  }
}
