import type { Backup, BackupStanding } from '@lodge/shared/backups.ts'
import type { User } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { cutPage, decodeCursor } from '../../db/cursor.ts'
import { notFound } from '../../problem.ts'
import { findUser } from '../customers/index.ts'
import { copyStanding } from '../limits/index.ts'
import { lackingOnNode, permits, type SharedServer } from '../servers/index.ts'
import { readSettings } from '../settings/index.ts'
import { whyNotNow, whyNotWhole } from './able.ts'
import { describeBackup } from './describe.ts'
import { whyNoDownload } from './downloads.ts'
import { ignoredOf } from './ignored.ts'
import { safeAtOf } from './protection-store.ts'
import { whyNoReader } from './reader.ts'
import { FORMER_HOURS } from './restore-sagas.ts'
import { findRestore } from './restore-store.ts'
import { backupSettings } from './settings.ts'
import { storageNodeOf, whyNoStorage } from './storage-nodes.ts'
import { listOfServer } from './store.ts'
import type { BackupRow } from './tables.ts'

/** The backups of a server, the newest first. */
export async function listBackups(
  ctx: Ctx<User>,
  server: SharedServer,
  { limit, after }: { limit: number; after?: string | undefined },
): Promise<{ items: Backup[]; nextCursor: string | null; standing: BackupStanding }> {
  const rows = await listOfServer(ctx.db, server.id, limit, decodeCursor(after))
  const page = cutPage(rows, limit, ({ backup }) => [backup.createdAt.toISOString(), backup.id])
  return {
    items: page.items.map(describeBackup),
    nextCursor: page.nextCursor,
    standing: await standingOf(
      ctx,
      server,
      page.items.map(({ backup }) => backup),
    ),
  }
}

async function standingOf(
  ctx: Ctx<User>,
  server: SharedServer,
  shown: readonly BackupRow[],
): Promise<BackupStanding> {
  const { db } = ctx
  const complete = shown.filter(({ state }) => state === 'good').map(({ id }) => id)
  const owner = await findUser(db, server.ownerId)
  if (!owner) throw notFound('server')
  const { used, max } = await copyStanding(db, owner, server.id)
  const settings = await readSettings(db, backupSettings)
  const lacking = (await lackingOnNode(ctx, server)).backups ?? null
  const offline = server.nodeOnline ? null : `The node ${server.nodeName} is not connected`
  const storage =
    settings.place === 'other-node' ? await storageNodeOf(db, settings, server.nodeId) : undefined
  const noStorage = settings.place === 'other-node' ? whyNoStorage(storage) : null
  const restore = await findRestore(db, server.id)
  return {
    ignored: await ignoredOf(ctx, server),
    place: settings.place,
    keptOnNode: storage?.name ?? null,
    safeAt: (await safeAtOf(db, server.id))?.toISOString() ?? null,
    used,
    max,
    whyNot: {
      create:
        may(ctx, server, 'backups.create') ??
        whyNotNow(ctx.actor, server, 'backup') ??
        lacking ??
        offline ??
        noStorage,
      ignore: may(ctx, server, 'backups.delete'),
      browse: whyNotWhole(ctx.actor, server) ?? offline,
      restore:
        may(ctx, server, 'backups.restore') ??
        whyNotWhole(ctx.actor, server) ??
        whyNotNow(ctx.actor, server, 'restore') ??
        lacking ??
        offline,
      restoreElsewhere: may(ctx, server, 'backups.restore') ?? whyNotWhole(ctx.actor, server),
      download:
        may(ctx, server, 'backups.download') ??
        whyNoDownload(ctx, settings) ??
        whyNotWhole(ctx.actor, server) ??
        offline,
      verify: may(ctx, server, 'backups.create') ?? (await whyNoReader(db, complete)),
    },
    keepScheduled: settings.keepScheduled,
    former:
      restore?.restoredAt && restore.state === 'kept'
        ? {
            restoredAt: restore.restoredAt.toISOString(),
            keptUntil: new Date(
              restore.restoredAt.getTime() + FORMER_HOURS * 3_600_000,
            ).toISOString(),
            backupId: restore.backupId,
          }
        : null,
  }
}

const may = (
  { actor }: Ctx<User>,
  server: SharedServer,
  right: 'backups.create' | 'backups.delete' | 'backups.restore' | 'backups.download',
): string | null =>
  permits(actor, server, right)
    ? null
    : `This needs the permission ${right} on the server; its owner can grant it`
