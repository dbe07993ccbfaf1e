import type { ChangeMark, ServerMark } from '@lodge/shared/server-labels.ts'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { prepared, statement } from '../../../db/prepared.ts'
import { serverMarks } from './tables.ts'

type Marked = ServerMark & { readonly serverId: string }

const marksAmong = prepared<Marked, { userId: string; ids: readonly string[] }>(
  ['serverId', 'folder', 'favourite'],
  statement(sql`select server_id, folder, favourite from server_marks
    where user_id = ${sql.placeholder('userId')}::uuid
      and server_id = any(${sql.placeholder('ids')}::uuid[])`),
)

/** A person's marks on these servers; servers without one are missing. */
export async function findMarks(
  db: Db,
  userId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ServerMark>> {
  if (ids.length === 0) return new Map()
  const rows = await marksAmong(db, { userId, ids })
  return new Map(rows.map(({ serverId, ...mark }) => [serverId, mark]))
}

/** Changes a mark, and deletes one that is empty afterwards. @returns the mark as it is then */
export async function changeMark(
  db: Db,
  userId: string,
  serverId: string,
  { folder, favourite }: ChangeMark,
): Promise<ServerMark> {
  const [mark] = await db
    .insert(serverMarks)
    .values({ userId, serverId, folder: folder ?? null, favourite: favourite ?? false })
    .onConflictDoUpdate({
      target: [serverMarks.userId, serverMarks.serverId],
      set: {
        folder: folder === undefined ? sql`${serverMarks.folder}` : folder,
        favourite: favourite ?? sql`${serverMarks.favourite}`,
      },
    })
    .returning({ folder: serverMarks.folder, favourite: serverMarks.favourite })
  if (!mark) throw new Error('An upsert returns its row')
  if (mark.folder === null && !mark.favourite)
    await db.execute(
      sql`delete from ${serverMarks} where user_id = ${userId}::uuid and server_id = ${serverId}::uuid`,
    )
  return mark
}

/** The names of somebody's folders, in order. */
export async function foldersOf(db: Db, userId: string): Promise<string[]> {
  const { rows } = await db.execute<{ folder: string }>(
    sql`select distinct folder from server_marks
      where user_id = ${userId}::uuid and folder is not null order by folder limit 500`,
  )
  return rows.map(({ folder }) => folder)
}
