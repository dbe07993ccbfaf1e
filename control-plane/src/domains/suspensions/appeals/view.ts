import type { Appeal, AppealMessage } from '@lodge/shared/suspensions.ts'
import type { Db } from '../../../db/database.ts'
import { attachmentsOf } from '../../attachments/index.ts'
import * as store from './appeal-store.ts'

/** The owner kind of attachments of these messages. */
export const APPEAL_MESSAGE = 'appeal'

/**
 * The appeals of suspensions with their messages, by suspension.
 * @param reader customers do not see which staff member wrote
 */
export async function appealsOf(
  db: Db,
  suspensionIds: readonly string[],
  reader: 'customer' | 'staff',
): Promise<ReadonlyMap<string, readonly Appeal[]>> {
  const rows = await store.listAppeals(db, suspensionIds)
  const messages = await store.listMessages(
    db,
    rows.map(({ id }) => id),
  )
  const files = await attachmentsOf(
    db,
    APPEAL_MESSAGE,
    messages.map(({ id }) => id),
  )
  const shown = messages.map((row): [string, AppealMessage] => [
    row.appealId,
    {
      id: row.id,
      from: row.sender,
      author: reader === 'staff' && row.sender === 'staff' ? row.author : null,
      text: row.text,
      attachments: [...(files.get(row.id) ?? [])],
      createdAt: row.createdAt.toISOString(),
    },
  ])
  const all = rows.map((row): [string, Appeal] => [
    row.suspensionId,
    {
      id: row.id,
      state: row.state,
      openedAt: row.openedAt.toISOString(),
      decidedAt: row.decidedAt?.toISOString() ?? null,
      messages: shown.flatMap(([appealId, message]) => (appealId === row.id ? message : [])),
    },
  ])
  return new Map(
    [...Map.groupBy(all, ([id]) => id)].map(([id, own]) => [id, own.map(([, one]) => one)]),
  )
}
