import { and, desc, eq, getTableColumns, lt } from 'drizzle-orm'
import type { Position } from '../../../db/cursor.ts'
import type { Db } from '../../../db/database.ts'
import { users } from '../tables.ts'
import { customerNotes, type NoteRow } from './tables.ts'

export interface NoteWithAuthor extends NoteRow {
  readonly authorName: string | null
  readonly authorEmail: string | null
}

const withAuthors = (db: Db) =>
  db
    .select({
      ...getTableColumns(customerNotes),
      authorName: users.name,
      authorEmail: users.email,
    })
    .from(customerNotes)
    .leftJoin(users, eq(users.id, customerNotes.authorId))

/** A customer's notes, the newest first. */
export const listNotes = (
  db: Db,
  customerId: string,
  given: { after: Position | undefined; limit: number },
): Promise<NoteWithAuthor[]> =>
  withAuthors(db)
    .where(
      and(
        eq(customerNotes.customerId, customerId),
        given.after && lt(customerNotes.id, given.after[1]),
      ),
    )
    .orderBy(desc(customerNotes.id))
    .limit(given.limit + 1)

export async function findNote(
  db: Db,
  customerId: string,
  id: string,
): Promise<NoteWithAuthor | undefined> {
  const [row] = await withAuthors(db).where(
    and(eq(customerNotes.id, id), eq(customerNotes.customerId, customerId)),
  )
  return row
}

export async function insertNote(db: Db, row: typeof customerNotes.$inferInsert): Promise<void> {
  await db.insert(customerNotes).values(row)
}

export async function updateNote(
  db: Db,
  customerId: string,
  id: string,
  change: Pick<NoteRow, 'content' | 'editedAt'>,
): Promise<void> {
  await db
    .update(customerNotes)
    .set(change)
    .where(and(eq(customerNotes.id, id), eq(customerNotes.customerId, customerId)))
}

/** False if there is no such note of this customer. */
export async function deleteNote(db: Db, customerId: string, id: string): Promise<boolean> {
  const rows = await db
    .delete(customerNotes)
    .where(and(eq(customerNotes.id, id), eq(customerNotes.customerId, customerId)))
    .returning({ id: customerNotes.id })
  return rows.length > 0
}
