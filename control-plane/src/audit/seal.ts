import type { Services } from '../context.ts'
import type { Vault } from '../secrets/vault.ts'
import * as store from './store.ts'

const BATCH = 2000
const EMPTY = Buffer.alloc(32)

export type Sealed = Pick<store.SealRow, 'number' | 'seqs' | 'rowHashes'>

/** The signature of a seal: over its rows and over the signature before it. */
export const signatureOf = (vault: Vault, seal: Sealed, previous: Buffer | undefined): Buffer =>
  vault.sign(
    'audit seal',
    Buffer.concat([
      Buffer.from(`${seal.number}|${seal.seqs.join(',')}|`),
      previous ?? EMPTY,
      seal.rowHashes,
    ]),
  )

/** Seals what has been recorded since, in batches, so that recording itself never waits. */
export async function sealRecorded({ db, vault, log }: Services): Promise<{ sealed: number }> {
  let sealed = 0
  for (;;) {
    const count = await db.transaction(async (tx) => {
      if (!(await store.lockSealing(tx))) return 0
      const rows = await store.unsealedRows(tx, BATCH)
      if (rows.length === 0) return 0
      const last = await store.lastSeal(tx)
      const seal = {
        number: (last?.number ?? 0) + 1,
        seqs: rows.map((row) => row.seq),
        rowHashes: Buffer.concat(rows.map((row) => row.rowHash)),
      }
      const signature = signatureOf(vault, seal, last?.signature)
      await store.insertSeal(tx, { ...seal, signature, count: rows.length })
      // Kept outside the database as well: a cut-off end shows against it.
      if (seal.number % 1000 === 0)
        log.info({ seal: seal.number, signature: signature.toString('hex') }, 'audit head')
      return rows.length
    })
    sealed += count
    if (count < BATCH) return { sealed }
  }
}
