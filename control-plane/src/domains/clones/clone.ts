import { randomUUID } from 'node:crypto'
import type { CloneServer } from '@lodge/shared/clones.ts'
import { isMachine } from '@lodge/shared/machine-spec.ts'
import { hasPermission, type User } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { invalid } from '../../http/input.ts'
import { Problem } from '../../problem.ts'
import { type BackupSource, backUpForNode, requireReached, sourceOf } from '../backups/index.ts'
import { lockOwner } from '../customers/index.ts'
import { copySchedules } from '../schedules/index.ts'
import {
  allVariables,
  createServer,
  holdServer,
  type Operation,
  type ServerRow,
  type ServerView,
} from '../servers/index.ts'
import { CLONING, cloneSaga } from './clone-saga.ts'

interface Cloned {
  readonly serverId: string
  readonly jobId: string
  readonly warnings: string[]
}

/**
 * Creates a stopped server like another one: size, variables or hardware, crash policy, icon, tags
 * and schedules are the same; ports, address and the identity of a machine are new. The request
 * reserves everything; a job copies files or disks, and if that fails, it removes the clone.
 */
export async function clone(
  ctx: Ctx<User>,
  server: ServerView,
  given: CloneServer,
): Promise<Cloned> {
  if (given.backupId !== undefined && given.includeData === false)
    throw invalid([{ pointer: '/includeData', detail: 'must not be false with a backup' }])
  const withData = given.includeData === true || given.backupId !== undefined
  if (withData && !hasPermission(ctx.actor, 'servers.backups'))
    throw new Problem(
      'permission_required',
      'Files are copied through backups: ask for that right',
      {
        fields: { permission: 'servers.backups' },
      },
    )
  return ctx.transaction(async (ctx) => {
    const ownerId = given.ownerId ?? server.ownerId
    // Always in the same order, to prevent deadlocks.
    for (const id of [ownerId, server.ownerId].toSorted()) await lockOwner(ctx.db, id)
    const { row } = await holdServer(ctx, server)
    const { name, nodeId, location, force, backupId, storageId = row.storageId } = given
    const chosen = backupId === undefined ? undefined : await sourceOf(ctx, row, backupId)
    const made = await createServer(
      ctx,
      {
        name,
        ownerId,
        // A machine has no template: it takes the hardware of the original.
        templateId: row.templateId ?? '',
        variables: { ...allVariables(ctx.vault, row) },
        ...(row.image !== null && { image: row.image }),
        memoryMb: row.memoryMb,
        cpuPercent: row.cpuPercent,
        diskMb: row.diskMb,
        nodeId,
        location,
        storageId,
        force,
        start: false,
      },
      { like: row, operation: withData ? copying(row, name, chosen) : undefined },
    )
    await copySchedules(ctx, row.id, { id: made.serverId, ownerId, subscriptionId: null }, force)
    const warnings = withData && hasTpm(row) ? [NEW_TPM] : []
    return { ...made, warnings: [...made.warnings, ...warnings] }
  })
}

/** A copied TPM would give both machines the same secret identity. */
const NEW_TPM =
  'It has a TPM of its own: a system that keeps keys in it, like BitLocker, asks for its recovery key'
const hasTpm = ({ desiredSpec }: ServerRow): boolean =>
  isMachine(desiredSpec) && desiredSpec.profile.tpm

/** Installs the new server, and then puts the files of a backup in its place. */
const copying = (
  source: ServerRow,
  name: string,
  chosen: BackupSource | undefined,
): Pick<Operation, 'title' | 'hold' | 'work'> => ({
  title: `Clone ${source.name} to ${name}`,
  hold: CLONING,
  async work(ctx, about) {
    const backup = chosen ?? (await backUpForNode(ctx, source, about.nodeId))
    await requireReached(ctx, backup, { nodeId: about.nodeId, kind: source.kind })
    return ctx.jobs.sagas.enqueue(
      ctx,
      cloneSaga,
      { serverId: about.serverId, nodeId: about.nodeId, restoreId: randomUUID(), ...backup },
      about,
    )
  },
})
