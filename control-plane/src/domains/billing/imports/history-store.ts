import { randomUUIDv7 } from 'node:crypto'
import type { ImportPanel, PanelImport } from '@lodge/shared/billing/imports.ts'
import { and, asc, desc, eq, isNull, lt, notInArray, or, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { imports } from './tables.ts'
import { Tally } from './tally.ts'

type ImportRow = typeof imports.$inferSelect

const MOST_KEPT = 100
const MOST_REASONS = 50
/** How often an import says that it is at work; after so many of these it was killed. */
const SEEN_EVERY_MS = 2000
const MISSED = 15

/** An import that was not refused before it began: one that was killed may have written more than it says. */
const isReal = and(
  eq(imports.isDryRun, false),
  or(
    isNull(imports.failure),
    sql`jsonb_path_exists(${imports.tally}, '$.counts[*] ? (@.new > 0 || @.before > 0)')`,
  ),
)

/** What an import did until now, which the panel shows; it has nobody's name or address. */
export class ImportHistory {
  readonly tally = new Tally()
  readonly #db: Db
  readonly #id = randomUUIDv7()
  #seenAt = Date.now()

  private constructor(db: Db) {
    this.#db = db
  }

  /** Begins one; the oldest that are too many go, but of each installation one that wrote stays. */
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
    // It says which panel the installation is of: see `panelOf`.
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

  /** Says how far it is, now and then. */
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

/** The panel that an installation of this name was imported from. */
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
