import type { ImportPanel } from '@lodge/shared/billing/imports.ts'
import { panelOf } from './history-store.ts'
import { ImportRefused } from './refused.ts'
import type { Run } from './run.ts'
import type { Source } from './source.ts'
import { fingerprintsAmong, hasImported, type ImportedKind } from './store.ts'

const AT_ONCE = 500

interface Fingerprinted {
  readonly id: string
  readonly fingerprint: string | null
}

/**
 * Refuses, before anything is written, files of another installation than the one imported under this
 * name: equal ids would be taken for the same records, and purchases would go to the wrong customers.
 * @throws {ImportRefused}
 */
export async function requireSameSource(
  run: Run,
  panel: ImportPanel,
  source: Source,
): Promise<void> {
  const { db, origin } = run
  if (!(await hasImported(db, origin))) return
  const former = await panelOf(db, origin)
  if (former !== undefined && former !== panel)
    throw new ImportRefused(
      `${origin} is what ${former} was imported as: give this installation another name with --as`,
    )
  await compare(run, 'plan', await source.plans())
  await compare(run, 'customer', source.customers())
}

async function compare(
  { db, origin, signal }: Run,
  kind: ImportedKind,
  records: AsyncIterable<Fingerprinted> | Iterable<Fingerprinted>,
): Promise<void> {
  let batch: Fingerprinted[] = []
  const flush = async () => {
    signal.throwIfAborted()
    const known = await fingerprintsAmong(
      db,
      origin,
      kind,
      batch.map(({ id }) => id),
    )
    for (const { id, fingerprint } of batch)
      if (known.has(id) && known.get(id) !== fingerprint)
        throw new ImportRefused(
          `${kind} ${id} is not the one that was imported as ${origin}: if this is another installation, give it a name of its own with --as`,
        )
    batch = []
  }
  for await (const { id, fingerprint } of records) {
    // Without a fingerprint, a known name cannot be verified.
    if (fingerprint !== null) batch.push({ id, fingerprint })
    if (batch.length === AT_ONCE) await flush()
  }
  await flush()
}
