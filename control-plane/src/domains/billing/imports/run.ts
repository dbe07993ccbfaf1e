import type { ImportKind, ImportResult } from '@lodge/shared/billing/imports.ts'
import { type Db, inOneTransaction } from '../../../db/database.ts'
import { claim, type ImportedKind, importedAmong } from './store.ts'

/** What becomes of one record of the other panel. */
export interface Outcome {
  readonly kind: ImportKind
  readonly sourceId: string
  readonly result: ImportResult
  /** What people know it by. */
  readonly about: string
  /** Why it is skipped, or what else there is to know. */
  readonly note: string
  /** What it is here; null while nothing is written. */
  readonly targetId: string | null
}

/** One import, or the look at what it would do. */
export interface Run {
  readonly db: Db
  readonly now: Date
  /** The installation of the other panel; ids of another one are other ids. */
  readonly origin: string
  /** Whether anything is written. */
  readonly writes: boolean
  /** Whether customers are sent a link to choose a password. */
  readonly invites: boolean
  /** Plans of Lodge, by the id of the product that they stand for. */
  readonly planIds: ReadonlyMap<string, string>
  /** Servers of Lodge, by the id of the service that they are. */
  readonly serverIds: ReadonlyMap<string, string>
  readonly signal: AbortSignal
  tell(outcome: Outcome): Promise<void> | void
}

const AT_ONCE = 500
/** Ids of databases are numbers or UUIDs. */
const SOURCE_ID = /^[\w-]{1,64}$/

/**
 * Goes through records in the order of the export, with what became of them in an earlier import. No more than
 * some hundred are in memory at once.
 * @param look finds what is needed for some hundred of them at once
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
 * Writes one record in a transaction of its own, together with the note that it is imported: killed at any moment,
 * the next import goes on after it, and of two at once one writes.
 * @returns whether it was written
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
