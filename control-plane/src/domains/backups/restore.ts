import { randomUUID } from 'node:crypto'
import type { RestoreFiles, RestoreToServer, RestoringFiles } from '@lodge/shared/backups.ts'
import { formatBytes, formatMib, MIB } from '@lodge/shared/units.ts'
import type { User } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { readerOf } from '../../moment-text.ts'
import { notFound, Problem } from '../../problem.ts'
import { wordsFor } from '../../said-in.ts'
import { findUser } from '../customers/index.ts'
import {
  bySaga,
  type HeldServer,
  loadServer,
  operate,
  requireOnNode,
  requireRight,
  type SharedServer,
} from '../servers/index.ts'
import { requireIntact, requirePossible, requireWhole } from './able.ts'
import { keepsReplaced, leavesOut, readsBack } from './agent-version.ts'
import { enterBackup } from './create.ts'
import { backingUp } from './create-saga.ts'
import { reaches } from './repositories.ts'
import { restoreFilesKeepingSaga, restoreFilesSaga } from './restore-files-saga.ts'
import { restoreSaga } from './restore-sagas.ts'
import { findRestore, insertRestore } from './restore-store.ts'
import { securedRestoreSaga } from './secured-restore-saga.ts'
import { findRepository, lockBackup } from './store.ts'
import { t } from './words.ts'

/** Characters of a backup's name. */
const NAME_MAX = 64

/** Options of a restore. */
interface Asked {
  readonly confirm?: boolean | undefined
  /** Backs up the server's present state first. */
  readonly backUpFirst?: boolean | undefined
  /** Lets an administrator exceed limits with that backup. */
  readonly force?: boolean | undefined
}

/** Replaces all files of a server with those of one of its backups. */
export function restoreBackup(
  ctx: Ctx<User>,
  server: SharedServer,
  backupId: string,
  asked: Asked,
): Promise<{ jobId: string }> {
  return restoreInto(ctx, server, server, backupId, asked)
}

/** Replaces all files of another server of the same kind and owner. */
export async function restoreToServer(
  ctx: Ctx<User>,
  server: SharedServer,
  backupId: string,
  { serverId, ...asked }: RestoreToServer,
): Promise<{ jobId: string }> {
  const target = await loadServer(ctx, serverId)
  if (!target) throw notFound('server')
  requireRight(ctx.actor, target, 'backups.restore')
  if (target.kind !== server.kind)
    throw new Problem(
      'invalid_state',
      server.kind === 'vm'
        ? `${target.name} is no virtual machine: a backup of one can only be restored to another`
        : `${target.name} is a virtual machine: the backup can only be restored to a container server`,
    )
  if (target.ownerId !== server.ownerId)
    throw new Problem('invalid_state', `${target.name} belongs to somebody else`)
  return restoreInto(ctx, server, target, backupId, asked)
}

async function restoreInto(
  ctx: Ctx<User>,
  source: SharedServer,
  target: SharedServer,
  backupId: string,
  { confirm, backUpFirst = false, force }: Asked,
): Promise<{ jobId: string }> {
  requireWhole(ctx, source)
  requireWhole(ctx, target)
  if (confirm !== true)
    throw new Problem(
      'confirmation_required',
      'Restoring replaces all present files of the server: send confirm as true',
    )
  if (backUpFirst) requireRight(ctx.actor, target, 'backups.create')
  const personId = ctx.actor.id
  return operate(ctx, target, async (ctx, held) => {
    const { row } = held
    const found = await restorable(ctx, held, source.id, backupId)
    const { backup, snapshotId, sizeBytes } = found
    requireIntact(backup)
    // For a machine, the node compares each disk.
    if (target.kind === 'container' && sizeBytes > row.diskMb * MIB)
      throw new Problem(
        'invalid_state',
        `The backup has ${formatBytes(sizeBytes)}, and ${row.name} has a disk of ${formatMib(row.diskMb)}: enlarge it first`,
      )
    if (backup.ignored.length > 0 && !(await leavesOut(ctx.db, row.nodeId)))
      throw new Problem(
        'unsupported_on_node',
        `The agent of ${target.nodeName} is too old to keep what the backup leaves out: update it first`,
        { fields: { missing: ['backups'] } },
      )
    const restoreId = randomUUID()
    const former = await findRestore(ctx.db, row.id)
    if (!former)
      await insertRestore(ctx.db, { serverId: row.id, restoreId, backupId, state: 'working' })
    const about = {
      serverId: row.id,
      nodeId: row.nodeId,
      repositoryId: backup.repositoryId,
      backupId,
      backupName: backup.name,
      snapshotId,
      restoreId,
      formerId: former?.restoreId ?? null,
      sizeBytes,
    }
    const title = `Restore ${row.name} from ${backup.name}` as const
    if (!backUpFirst) return { title, work: bySaga(restoreSaga, about) }
    const present = await enterPresent(ctx, held, backup.name, { personId, force })
    return {
      title,
      hold: backingUp(present.backupId),
      work: bySaga(securedRestoreSaga, { ...about, present }),
    }
  })
}

/** Records the backup of the data that a restore is about to replace. */
async function enterPresent(
  ctx: Ctx,
  held: HeldServer,
  restored: string,
  { personId, force }: { readonly personId: string; readonly force: boolean | undefined },
): Promise<{ repositoryId: string; backupId: string }> {
  const { row, view } = held
  if (!(await readsBack(ctx.db, row.nodeId)))
    throw new Problem(
      'unsupported_on_node',
      `The agent of ${view.nodeName} is too old to verify a backup before a restore: update it first, or send backUpFirst as false`,
      { fields: { missing: ['backups'] } },
    )
  const reader = readerOf(await findUser(ctx.db, personId), ctx.language)
  const name = wordsFor(t, reader).beforeRestore({ backup: restored })
  const { repositoryId, backupId } = await enterBackup(ctx, held, {
    name: Array.from(name).slice(0, NAME_MAX).join('').trim(),
    force,
  })
  return { repositoryId, backupId }
}

/** Restores single files and folders; the server may keep running. */
export async function restoreFiles(
  ctx: Ctx<User>,
  server: SharedServer,
  backupId: string,
  { paths, into, keepReplaced = false, confirm }: RestoreFiles,
): Promise<RestoringFiles> {
  requireWhole(ctx, server)
  if (server.kind === 'vm')
    throw new Problem(
      'invalid_state',
      'A backup of a virtual machine contains disks, and no single files: restore all of it, for example to another machine',
    )
  if (into === undefined && confirm !== true)
    throw new Problem(
      'confirmation_required',
      'This replaces the present files of the same names: send confirm as true, or a folder as into',
    )
  const restoreId = randomUUID()
  const keep = keepReplaced ? folderOf(ctx.now, restoreId) : null
  const { jobId } = await operate(ctx, server, async (ctx, held) => {
    const { row } = held
    const { backup, snapshotId, sizeBytes } = await restorable(ctx, held, row.id, backupId)
    if (keep !== null && !(await keepsReplaced(ctx.db, row.nodeId)))
      throw new Problem(
        'unsupported_on_node',
        `The agent of ${server.nodeName} is too old to keep what is replaced: update it first, or send keepReplaced as false`,
        { fields: { missing: ['backups'] } },
      )
    const about = {
      serverId: row.id,
      nodeId: row.nodeId,
      repositoryId: backup.repositoryId,
      snapshotId,
      restoreId,
      paths,
      into: into ?? null,
      sizeBytes,
    }
    return {
      title: `Restore files of ${row.name} from ${backup.name}`,
      work:
        keep === null
          ? bySaga(restoreFilesSaga, about)
          : bySaga(restoreFilesKeepingSaga, { ...about, keep }),
    }
  })
  return { jobId, keptIn: keep }
}

/** A folder that no other restore uses, such as `/replaced-2026-05-01-1430-8f3a`. */
const folderOf = (at: Date, restoreId: string): string =>
  `/replaced-${at.toISOString().slice(0, 16).replace('T', '-').replace(':', '')}-${restoreId.slice(0, 4)}`

/** A complete backup that the node of a server can reach. */
async function restorable(ctx: Ctx, { row, view }: HeldServer, sourceId: string, backupId: string) {
  const backup = await lockBackup(ctx.db, sourceId, backupId)
  const repository = backup && (await findRepository(ctx.db, backup.repositoryId))
  if (!backup || !repository) throw notFound('backup')
  const { snapshotId, sizeBytes } = backup
  if (backup.state !== 'good' || snapshotId === null || sizeBytes === null)
    throw new Problem('backup_incomplete', 'Only a complete backup can be restored')
  requirePossible(ctx.actor, view, 'restore')
  await requireOnNode(ctx, row, 'backups')
  if (!reaches(row.nodeId, repository))
    throw new Problem(
      'unsupported_on_node',
      `The backup is kept on another node than the one ${row.name} is on`,
      { fields: { missing: ['backups'] } },
    )
  return { backup, snapshotId, sizeBytes }
}
