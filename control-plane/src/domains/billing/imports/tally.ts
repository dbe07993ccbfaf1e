import { IMPORT_KINDS, type ImportKind, type ImportTally } from '@lodge/shared/billing/imports.ts'
import type { Outcome } from './run.ts'

const MOST_REASONS = 1000

/** Counts results of records by reason. */
export class Tally {
  readonly #counts = new Map<string, number>()
  readonly #reasons = new Map<ImportKind, Map<string, number>>()
  #reasonsKept = 0

  add({ kind, result, note }: Outcome): void {
    const key = `${kind} ${result}`
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
    if (result !== 'skipped') return
    // Ids would make each reason unique.
    const why = note.replace(/ as [\w-]+$/, ' as another')
    const own = this.#reasons.get(kind) ?? new Map<string, number>()
    this.#reasons.set(kind, own)
    if (!own.has(why) && ++this.#reasonsKept > MOST_REASONS) return
    own.set(why, (own.get(why) ?? 0) + 1)
  }

  /** @param most how many of the most frequent reasons */
  shown(most: number): ImportTally {
    const of = (kind: ImportKind, result: Outcome['result']) =>
      this.#counts.get(`${kind} ${result}`) ?? 0
    return {
      counts: IMPORT_KINDS.map((kind) => ({
        ...{ kind, new: of(kind, 'new'), present: of(kind, 'present') },
        ...{ before: of(kind, 'imported before'), skipped: of(kind, 'skipped') },
      })),
      reasons: [...this.#reasons]
        .flatMap(([kind, own]) => [...own].map(([why, count]) => ({ kind, why, count })))
        .toSorted((one, other) => other.count - one.count)
        .slice(0, most),
    }
  }
}
