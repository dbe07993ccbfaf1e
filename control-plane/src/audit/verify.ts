import { z } from 'zod'
import type { Ctx } from '../context.ts'
import { headOf, isLost } from './head.ts'
import { anchorProof } from './retention.ts'
import { rowHashOf } from './row-hash.ts'
import { signatureOf } from './seal.ts'
import * as store from './store.ts'

const SEALS_AT_ONCE = 200
const MAX_FAULTS = 100

export const Verification = z.object({
  ok: z.boolean(),
  seals: z.int(),
  /** The last seal deleted by retention; the chain continues after it. */
  begins: z.object({ after: z.int(), at: z.iso.datetime() }).nullable(),
  rows: z.int(),
  unsealed: z.int(),
  /** The newest seal. A copy kept elsewhere shows whether the end was cut off. */
  head: z.object({ number: z.int(), signature: z.string() }).nullable(),
  faults: z.array(
    z.object({ seal: z.int().nullable(), seq: z.int().nullable(), fault: z.string() }),
  ),
})
export type Verification = z.infer<typeof Verification>
type Chained = Pick<store.SealRow, 'number' | 'signature'>
type Fault = Verification['faults'][number]

/** Verifies the whole record and reports every entry that was changed, removed or inserted. */
export async function verifyRecord(ctx: Ctx): Promise<Verification> {
  const faults: Fault[] = []
  let seals = 0
  let rows = 0
  // Read before the record, which may grow meanwhile but never shrink.
  const kept = await ctx.auditHead.read()
  const anchor = await store.findAnchor(ctx.db)
  let previous: Chained | undefined = anchor
  if (anchor && !anchorProof(ctx.vault, anchor).equals(anchor.proof))
    faults.push({ seal: anchor.number, seq: null, fault: 'the beginning was put in' })
  for (;;) {
    const batch = await store.sealsFrom(ctx.db, previous?.number ?? 0, SEALS_AT_ONCE)
    const [first, last] = [batch[0], batch.at(-1)]
    if (!first || !last) break
    const found = Map.groupBy(
      await store.rowsOfSeals(ctx.db, first.number, last.number),
      (row) => row.seal ?? 0,
    )
    for (const seal of batch) {
      const own = found.get(seal.number) ?? []
      faults.push(...faultsOfSeal(ctx, seal, previous), ...faultsOfRows(seal, own))
      seals++
      rows += own.length
      if (kept?.head?.number === seal.number && isLost(kept.head, headOf(seal)))
        faults.push({ seal: seal.number, seq: null, fault: 'another seal was kept of this number' })
      previous = seal
    }
  }
  for (const seq of await store.orphanedSeqs(ctx.db))
    faults.push({ seal: null, seq, fault: 'the seal of the row was removed' })
  const head = previous && headOf(previous)
  if (!kept) faults.push({ seal: null, seq: null, fault: 'the kept head was changed' })
  const lost = [
    ...(kept?.lost ?? []),
    ...(kept?.head && kept.head.number > (head?.number ?? 0) ? [kept.head] : []),
  ]
  for (const { number } of lost)
    faults.push({ seal: number, seq: null, fault: 'the record was cut off before this seal' })
  return {
    ok: faults.length === 0,
    seals,
    begins: anchor ? { after: anchor.number, at: anchor.at.toISOString() } : null,
    rows,
    unsealed: await store.countUnsealed(ctx.db),
    head: head ?? null,
    faults: faults.slice(0, MAX_FAULTS),
  }
}

function faultsOfSeal(ctx: Ctx, seal: store.SealRow, previous: Chained | undefined): Fault[] {
  const at = { seal: seal.number, seq: null }
  if (seal.number !== (previous?.number ?? 0) + 1)
    return [{ ...at, fault: 'a seal before this one was removed' }]
  if (!signatureOf(ctx.vault, seal, previous?.signature).equals(seal.signature))
    return [{ ...at, fault: 'the seal was changed' }]
  return []
}

function faultsOfRows(seal: store.SealRow, rows: readonly store.AuditRow[]): Fault[] {
  const bySeq = new Map(rows.map((row) => [row.seq, row]))
  const faults = seal.seqs.flatMap((seq, at): Fault[] => {
    const row = bySeq.get(seq)
    bySeq.delete(seq)
    if (!row) return [{ seal: seal.number, seq, fault: 'the row was removed' }]
    const sealed = seal.rowHashes.subarray(at * 32, at * 32 + 32)
    const isSame = row.rowHash.equals(sealed) && rowHashOf(row).equals(sealed)
    return isSame ? [] : [{ seal: seal.number, seq, fault: 'the row was changed' }]
  })
  const added = [...bySeq.keys()].map((seq) => ({
    seal: seal.number,
    seq,
    fault: 'the row was put in',
  }))
  return [...faults, ...added]
}
