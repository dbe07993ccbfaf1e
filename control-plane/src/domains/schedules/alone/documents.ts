import type { NodeSchedules } from '@lodge/shared/node-schedules.ts'
import { isAdmin } from '../../../actor.ts'
import type { Db } from '../../../db/database.ts'
import { withoutCapability } from '../../limits/index.ts'
import { findRights, permits } from '../../servers/index.ts'
import { findAuthor } from '../author.ts'
import { rightsFor } from '../tasks/index.ts'
import { nameOf } from '../view.ts'
import { type AloneSchedule, aloneSchedules } from './alone-store.ts'

/** What each server does while its node is cut off, in the form that the node stores. */
export async function documentsFor(
  db: Db,
  serverIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (serverIds.length === 0) return new Map()
  const found = await aloneSchedules(db, serverIds)
  const servers = [...new Map(found.map(({ server }) => [server.id, server])).values()]
  const without = await withoutCapability(db, servers, 'maySchedules')
  const allowed = await Promise.all(found.map((one) => mayRun(db, one, without)))
  const kept = found.filter((_, at) => allowed[at])
  return new Map(
    [...Map.groupBy(kept, ({ row }) => row.serverId)].map(([serverId, own]) => [
      serverId,
      JSON.stringify({ schedules: own.flatMap(({ row }) => documentOf(row)) }),
    ]),
  )
}

/**
 * The node cannot check rights and limits, so only schedules whose authors have their rights now are sent, and
 * none of a server `without` schedules but those of the host.
 */
async function mayRun(
  db: Db,
  { row, server }: AloneSchedule,
  without: ReadonlySet<string>,
): Promise<boolean> {
  const { ownerId } = server
  if (row.authorId === null) return false
  if (row.authorId === ownerId) return !without.has(server.id)
  const author = await findAuthor(db, row.authorId)
  if (!author || (without.has(server.id) && !isAdmin(author))) return false
  const rights = (await findRights(db, row.serverId, row.authorId)) ?? null
  return row.tasks
    .flatMap((task) => rightsFor(task))
    .every((right) => permits(author, { ownerId, rights }, right))
}

function documentOf(row: AloneSchedule['row']): NodeSchedules['schedules'] {
  const { id, revision, cron, intervalMinutes, timezone, anchoredAt, nextAt, tasks } = row
  if (nextAt === null) return []
  return [
    {
      ...{ id, revision, cron, intervalMinutes, timezone, tasks },
      name: nameOf(row),
      anchoredAt: anchoredAt.toISOString(),
      from: nextAt.toISOString(),
    },
  ]
}
