import type { ServerEvent } from '@lodge/shared/servers.ts'
import { z } from 'zod'
import { cutPage, decodeCursor, invalidCursor } from '../../../db/cursor.ts'
import type { Db } from '../../../db/database.ts'
import { listEvents } from '../event-store.ts'

export async function pageOfEvents(
  db: Db,
  serverId: string,
  query: {
    after?: string | undefined
    from?: string | undefined
    to?: string | undefined
    limit: number
  },
) {
  const after = decodeCursor(query.after)
  if (after && !z.iso.datetime().safeParse(after[0]).success) throw invalidCursor()
  const rows = await listEvents(db, serverId, {
    after,
    from: query.from,
    to: query.to,
    limit: query.limit,
  })
  const page = cutPage(rows, query.limit, (row) => [row.at.toISOString(), row.id])
  const items = page.items.map(
    (row): ServerEvent => ({
      id: row.id,
      kind: row.kind,
      at: row.at.toISOString(),
      exit: row.exit,
      reason: row.reason,
      restart: row.restart,
      lastLines: row.lastLines,
    }),
  )
  return { items, nextCursor: page.nextCursor }
}
