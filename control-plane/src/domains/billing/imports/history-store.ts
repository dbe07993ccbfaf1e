import { randomUUIDv7 } from 'node:crypto'
import type { ImportPanel, PanelImport } from '@lodge/shared/billing/imports.ts'
import { and, asc, desc, eq, isNull, lt, notInArray, or, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { imports } from './tables.ts'
import { Tally } from './tally.ts'

type ImportRow = typeof imports.$inferSelect

const MOST_KEPT = 100
const MOST_REASONS = 50
/** How often an import reports that it is alive; one that missed several reports was killed. */
const SEEN_EVERY_MS = 2000
const MISSED = 15

/**
 * An import that began its work. A killed one counts as well: it may have written more than it
 * reported.
 */
const isReal = and(
  eq(imports.isDryRun, false),
  or(
    isNull(imports.failure),
    sql`jsonb_path_exists(${imports.tally}, '$.counts[*] ? (@.new > 0 || @.before > 0)')`,
  ),
)

/** The progress of an import, which the panel shows; contains nobody's name or address. */
export class ImportHistory {
  readonly tally = new Tally()
  readonly #db: Db
  readonly #id = randomUUIDv7()
  #seenAt = Date.now()

  private constructor(db: Db) {
    this.#db = db
  }

  /**
   * Records a new import and deletes the oldest ones beyond the limit, except one per
   * installation that wrote anything.
   */
  static async begin(
    db: Db,
    given: Pick<ImportRow, 'panel' | 'origin' | 'isDryRun' | 'invites' | 'startedAt'>,
  ): Promise<ImportHistory> {
    const history = new ImportHistory(db)
    const tally = history.tally.shown(MOST_REASONS)
    await db.insert(imports).values({ id: history.#id, ...given, tally, seenAt: given.startedAt })
    const kept = db
      .select({ id: imports.id })
      .from(imports)
      .orderBy(desc(imports.id))
      .limit(MOST_KEPT)
    // Kept because it tells which panel the installation runs: see `panelOf`.
    const ofOrigins = db
      .selectDistinctOn([imports.origin], { id: imports.id })
      .from(imports)
      .where(isReal)
      .orderBy(imports.origin, asc(imports.id))
    await db
      .delete(imports)
      .where(and(notInArray(imports.id, kept), notInArray(imports.id, ofOrigins)))
    return history
  }

  /** Reports progress, at most every `SEEN_EVERY_MS`. */
  async goesOn(): Promise<void> {
    if (Date.now() - this.#seenAt < SEEN_EVERY_MS) return
    this.#seenAt = Date.now()
    await this.#save({})
  }

  /** @param failure why it ended early; null if it is done */
  end(failure: string | null): Promise<void> {
    return this.#save({ endedAt: new Date(), failure })
  }

  async #save(change: Partial<ImportRow>): Promise<void> {
    const tally = this.tally.shown(MOST_REASONS)
    await this.#db
      .update(imports)
      .set({ tally, seenAt: new Date(), ...change })
      .where(eq(imports.id, this.#id))
  }
}

/** The panel software that the installation of this name was imported from. */
export async function panelOf(db: Db, origin: string): Promise<ImportPanel | undefined> {
  const [row] = await db
    .select({ panel: imports.panel })
    .from(imports)
    .where(and(eq(imports.origin, origin), isReal))
    .orderBy(asc(imports.id))
    .limit(1)
  return row?.panel
}

export const newestImports = (
  db: Db,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<ImportRow[]> =>
  db
    .select()
    .from(imports)
    .where(after === undefined ? undefined : lt(imports.id, after))
    .orderBy(desc(imports.id))
    .limit(limit)

export function describeImport(
  { tally, seenAt, startedAt, endedAt, failure, ...row }: ImportRow,
  now: Date,
): PanelImport {
  const isSilent = now.getTime() - seenAt.getTime() > SEEN_EVERY_MS * MISSED
  const ended = failure === null ? 'done' : 'failed'
  return {
    ...{ ...row, ...tally, failure },
    state: endedAt ? ended : isSilent ? 'interrupted' : 'running',
    startedAt: startedAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
  }
}
