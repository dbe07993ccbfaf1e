import { randomUUIDv7 } from 'node:crypto'
import type { NodeLossProtection } from '@lodge/shared/backups.ts'
import { MIB } from '@lodge/shared/units.ts'
import type { Actor } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { copiesOf, requireQuota } from '../limits/index.ts'
import {
  bySaga,
  type HeldServer,
  operate,
  requireOnNode,
  type ServerView,
} from '../servers/index.ts'
import { readSettings } from '../settings/index.ts'
import { requirePossible } from './able.ts'
import { leavesOut } from './agent-version.ts'
import { type BackupToMake, backingUp, createBackupSaga } from './create-saga.ts'
import { ignoredOf } from './ignored.ts'
import { repositoryFor } from './repositories.ts'
import { backupSettings } from './settings.ts'
import { insertBackup, lastGoodBytes } from './store.ts'

export interface NewBackup {
  readonly name?: string | undefined
  readonly locked?: boolean | undefined
  /** Patterns to leave out; otherwise those of the server. */
  readonly ignore?: readonly string[] | undefined
  /** Made by a schedule. */
  readonly scheduled?: boolean
  /** The schedule deletes its older backups itself; otherwise the settings say how many stay. */
  readonly keptBySchedule?: boolean
  readonly force?: boolean | undefined
  /** Made by the host against the loss of a node, into this place; no limit counts it. */
  readonly byHost?: Pick<NodeLossProtection, 'place'>
  /** Made by the host before the server is deleted, though it is suspended; no limit counts it. */
  readonly isLast?: boolean
  /** Made only to be restored on this node and then deleted; no limit applies. */
  readonly forNode?: string
}

/**
 * Begins a backup of a server, which keeps running. It counts for limits from now on, with the size
 * of the last successful one.
 */
export async function createBackup(
  ctx: Ctx<Actor>,
  server: Pick<ServerView, 'id' | 'ownerId'>,
  given: NewBackup,
): Promise<{ jobId: string; backupId: string }> {
  let backupId = ''
  const { jobId } = await operate(ctx, server, async (ctx, held) => {
    const about = await enterBackup(ctx, held, given)
    backupId = about.backupId
    return {
      title: `Back up ${held.row.name}`,
      hold: backingUp(backupId),
      work: bySaga(createBackupSaga, about),
    }
  })
  return { jobId, backupId }
}

/**
 * Checks that a backup is possible and allowed, and inserts it for a saga to make. The caller sets the
 * hold `backingUp`.
 */
export async function enterBackup(
  ctx: Ctx<Actor>,
  { owner, row, view }: HeldServer,
  given: NewBackup,
): Promise<BackupToMake> {
  const { forNode, isLast = false } = given
  requirePossible(ctx.actor, view, 'backup', { host: given.byHost !== undefined, isLast })
  await requireOnNode(ctx, row, 'backups')
  const bytes = (await lastGoodBytes(ctx.db, row.id)) ?? view.usageDisk ?? 0
  const reservedMb = Math.ceil(bytes / MIB)
  const byHost = given.byHost !== undefined || isLast
  if (!byHost && forNode === undefined) await requireRoom(ctx, owner, row, reservedMb, given.force)
  const { id: repositoryId } = await repositoryFor(ctx, owner.id, row.nodeId, {
    place: await placeFor(ctx, given),
    forNode,
  })
  const backupId = randomUUIDv7()
  await insertBackup(ctx.db, {
    id: backupId,
    serverId: row.id,
    repositoryId,
    name: given.name ?? nameAt(ctx.now),
    state: 'creating',
    locked: given.locked ?? false,
    scheduled: given.scheduled ?? false,
    byHost,
    rotated: given.scheduled === true && given.keptBySchedule !== true,
    reservedMb,
    ignored: await ignoredIn(ctx, row, given),
    createdById: ctx.actor.kind === 'user' ? ctx.actor.id : null,
    createdAt: ctx.now,
  })
  await ctx.live.announce(ctx.db, { kind: 'backups', id: row.id })
  return {
    ...{ serverId: row.id, nodeId: row.nodeId, repositoryId, backupId },
    ...(isLast && { isLast }),
  }
}

/** The last backup goes where those against the loss of a node go, and is rotated with them. */
async function placeFor(
  ctx: Ctx<Actor>,
  { byHost, isLast }: NewBackup,
): Promise<NodeLossProtection['place'] | undefined> {
  if (!isLast) return byHost?.place
  return (await readSettings(ctx.db, backupSettings)).protection?.place
}

/** A copy for another node leaves nothing out. */
async function ignoredIn(
  ctx: Ctx<Actor>,
  row: HeldServer['row'],
  { ignore, forNode }: NewBackup,
): Promise<readonly string[]> {
  if (forNode !== undefined || row.kind === 'vm') return []
  const patterns = ignore ?? (await ignoredOf(ctx, row)).patterns
  return patterns.length > 0 && (await leavesOut(ctx.db, row.nodeId)) ? patterns : []
}

async function requireRoom(
  ctx: Ctx<Actor>,
  owner: HeldServer['owner'],
  row: HeldServer['row'],
  reservedMb: number,
  force: boolean | undefined,
): Promise<void> {
  const used = await copiesOf(ctx.db, owner.id, row.id)
  await requireQuota(
    ctx,
    owner,
    () => [
      { key: 'maxServerBackups', used: used.ofServer, requested: 1 },
      { key: 'maxBackups', used: used.count, requested: 1 },
      { key: 'maxBackupStorageMb', used: used.storageMb, requested: Math.max(1, reservedMb) },
    ],
    { force, of: row },
  )
}

/** `2026-05-01 14:30 UTC`. */
const nameAt = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
