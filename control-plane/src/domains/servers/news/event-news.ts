import { contextFor } from '../../../context.ts'
import type { Db } from '../../../db/database.ts'
import type { Services } from '../../../services.ts'
import { happenedBefore } from '../event-store.ts'
import { findServer } from '../store.ts'
import type { EventRow, ServerRow } from '../tables.ts'
import { newsOf } from './news.ts'

/** A server that crashes repeatedly is reported at most this often, whatever its node sends. */
const AGAIN_SECONDS = 300
/** Files that are deleted and written again fill a disk many times an hour. */
const FULL_AGAIN_SECONDS = 3600

/** Which server events notify people, besides appearing on the server's page. */
export async function notifyAbout(services: Services, db: Db, event: EventRow): Promise<void> {
  if (!KINDS.has(event.kind) || (await happenedBefore(db, event, againAfter(event)))) return
  const row = await findServer(db, event.serverId)
  const name = row && nameOf(event, row)
  if (!name) return
  const ctx = contextFor({ ...services, db }, { kind: 'system' } as const)
  await ctx.emit(name, { ...(await newsOf(db, row)), reason: event.reason })
}

const againAfter = ({ kind }: EventRow): number =>
  kind === 'disk_full' ? FULL_AGAIN_SECONDS : AGAIN_SECONDS

const KINDS: ReadonlySet<EventRow['kind']> = new Set([
  ...(['gave_up', 'install_failed', 'crashed', 'installed', 'disk_full'] as const),
  ...(['started', 'restarted', 'stopped', 'killed', 'ended'] as const),
])

function nameOf({ kind }: EventRow, { crashPolicy }: Pick<ServerRow, 'crashPolicy'>) {
  if (kind === 'gave_up') return 'server.gave_up'
  if (kind === 'install_failed') return 'server.install_failed'
  if (kind === 'disk_full') return 'server.over_limit'
  if (kind === 'installed') return 'server.installed'
  if (kind === 'started' || kind === 'restarted') return 'server.started'
  // With any other policy the server restarts, and giving up is reported separately.
  if (kind === 'crashed') return crashPolicy.mode === 'never' ? 'server.crashed' : undefined
  return 'server.stopped'
}
