import type { ImportKind, ImportResult } from '@lodge/shared/billing/imports.ts'
import { type Db, inOneTransaction } from '../../../db/database.ts'
import { claim, type ImportedKind, importedAmong } from './store.ts'

/** The result for one record of the other panel. */
export interface Outcome {
  readonly kind: ImportKind
  readonly sourceId: string
  readonly result: ImportResult
  /** What people call it, such as a name or an address. */
  readonly about: string
  /** Why it is skipped, or what else there is to know. */
  readonly note: string
  /** Its id here; null in a dry run. */
  readonly targetId: string | null
}

/** One import, or its dry run. */
export interface Run {
  readonly db: Db
  readonly now: Date
  /** The name of the other panel's installation, which scopes ids. */
  readonly origin: string
  /** False in a dry run. */
  readonly writes: boolean
  /** Whether customers are sent a link to choose a password. */
  readonly invites: boolean
  /** Plans of Lodge, by the id of the other panel's product. */
  readonly planIds: ReadonlyMap<string, string>
  /** Servers of Lodge, by the id of the other panel's service. */
  readonly serverIds: ReadonlyMap<string, string>
  readonly signal: AbortSignal
  tell(outcome: Outcome): Promise<void> | void
}

const AT_ONCE = 500
/** Ids are numbers or UUIDs. */
const SOURCE_ID = /^[\w-]{1,64}$/

/**
 * Goes through records in the order of the export, with the result that an earlier import had for
 * them, in batches of some hundred.
 * @param look loads what a batch needs
 */
export async function forEach<T extends { readonly id: string }, Found = undefined>(
  run: Run,
  kind: ImportedKind,
  records: AsyncIterable<T> | Iterable<T>,
  work: (record: T, before: string | undefined, found: Found) => Promise<Outcome>,
  look: (batch: readonly T[], before: ReadonlyMap<string, string>) => Promise<Found> = async () =>
    undefined as Found,
): Promise<void> {
  const seen = new Set<string>()
  let batch: T[] = []
  const flush = async () => {
    const ids = batch.map(({ id }) => id).filter(isId)
    const before = await importedAmong(run.db, run.origin, kind, ids)
    const found = await look(batch, before)
    for (const record of batch) {
      run.signal.throwIfAborted()
      const { id } = record
      const why = !isId(id) ? 'its id is none' : seen.has(id) ? 'its id comes twice' : undefined
      if (why === undefined) seen.add(id)
      await run.tell(
        why === undefined
          ? await work(record, before.get(id), found)
          : skipped(kind, id.slice(0, 64), '', why),
      )
    }
    batch = []
  }
  for await (const record of records) {
    batch.push(record)
    if (batch.length === AT_ONCE) await flush()
  }
  await flush()
}

const isId = (id: string): boolean => SOURCE_ID.test(id)

export const skipped = (
  kind: Outcome['kind'],
  sourceId: string,
  about: string,
  note: string,
): Outcome => ({ ...{ kind, sourceId, about, note }, result: 'skipped', targetId: null })

/**
 * Writes one record and the note that it is imported in one transaction: a killed import continues
 * after it, and of two concurrent imports only one writes it.
 * @returns whether this import wrote it
 */
export async function writeOnce(
  run: Run,
  record: {
    readonly kind: ImportedKind
    readonly sourceId: string
    readonly targetId: string
    readonly fingerprint?: string | null
  },
  write: (db: Db) => Promise<void>,
): Promise<boolean> {
  if (!run.writes) return true
  const { origin, now: importedAt } = run
  return inOneTransaction(run.db, async (db) => {
    if (!(await claim(db, { origin, ...record, importedAt }))) return false
    await write(db)
    return true
  })
}
