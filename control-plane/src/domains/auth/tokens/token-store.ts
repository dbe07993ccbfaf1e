import { and, desc, eq, getTableColumns, gt, isNull, or, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { type UserRow, users } from '../../customers/tables.ts'
import { apiTokens } from '../tables.ts'

const { tokenHash: _secret, ...shown } = getTableColumns(apiTokens)
const selected = { ...shown, createdByEmail: users.email }
const from = (db: Db) =>
  db.select(selected).from(apiTokens).innerJoin(users, eq(users.id, apiTokens.userId))

export type TokenRow = Awaited<ReturnType<typeof listTokens>>[number]

export const listTokens = (db: Db) => from(db).orderBy(desc(apiTokens.id)).limit(200)

export async function findToken(db: Db, id: string): Promise<TokenRow | undefined> {
  const [row] = await from(db).where(eq(apiTokens.id, id))
  return row
}

export async function insertToken(db: Db, row: typeof apiTokens.$inferInsert): Promise<void> {
  await db.insert(apiTokens).values(row)
}

export async function deleteToken(db: Db, id: string): Promise<boolean> {
  const rows = await db
    .delete(apiTokens)
    .where(eq(apiTokens.id, id))
    .returning({ id: apiTokens.id })
  return rows.length > 0
}

export async function deleteTokensOf(db: Db, userId: string): Promise<void> {
  await db.delete(apiTokens).where(eq(apiTokens.userId, userId))
}

export async function findTokenByHash(
  db: Db,
  tokenHash: Buffer,
): Promise<{ token: typeof apiTokens.$inferSelect; user: UserRow } | undefined> {
  const [row] = await db
    .select({ token: apiTokens, user: users })
    .from(apiTokens)
    .innerJoin(users, eq(users.id, apiTokens.userId))
    .where(
      and(
        eq(apiTokens.tokenHash, tokenHash),
        or(isNull(apiTokens.expiresAt), gt(apiTokens.expiresAt, sql`now()`)),
      ),
    )
  return row
}

/** Written at most once a minute per token. */
export async function touchToken(db: Db, id: string): Promise<void> {
  await db
    .update(apiTokens)
    .set({ lastUsedAt: sql`now()` })
    .where(
      and(
        eq(apiTokens.id, id),
        sql`coalesce(${apiTokens.lastUsedAt}, 'epoch') < now() - interval '1 minute'`,
      ),
    )
}
