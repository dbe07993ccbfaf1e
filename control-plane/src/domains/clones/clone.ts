import { randomUUID } from 'node:crypto'
import type { CloneServer } from '@lodge/shared/clones.ts'
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
 * Makes a server like another one, stopped: size, variables, crash policy, icon, tags and schedules
 * are the same, ports and address are allocated anew. Everything is reserved at once; the files
 * follow in a job, and without them nothing remains of it.
 */
export async function clone(
  ctx: Ctx<User>,
  server: ServerView,
  given: CloneServer,
): Promise<Cloned> {
  if (server.kind === 'vm')
    throw new Problem(
      'invalid_state',
      'A virtual machine cannot be cloned: create one with the same hardware profile, and restore a backup of this one to it',
    )
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
    // In one order everywhere, to prevent deadlocks.
    for (const id of [ownerId, server.ownerId].toSorted()) await lockOwner(ctx.db, id)
    const { row } = await holdServer(ctx, server)
    const { name, nodeId, location, force, backupId } = given
    const chosen = backupId === undefined ? undefined : await sourceOf(ctx, row, backupId)
    const made = await createServer(
      ctx,
      {
        name,
        ownerId,
        templateId: row.templateId ?? '',
        variables: { ...allVariables(ctx.vault, row) },
        ...(row.image !== null && { image: row.image }),
        memoryMb: row.memoryMb,
        cpuPercent: row.cpuPercent,
        diskMb: row.diskMb,
        nodeId,
        location,
        force,
        start: false,
      },
      { like: row, operation: withData ? copying(row, name, chosen) : undefined },
    )
    await copySchedules(ctx, row.id, { id: made.serverId, ownerId, subscriptionId: null }, force)
    return made
  })
}

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
    await requireReached(ctx, backup, about.nodeId)
    return ctx.jobs.sagas.enqueue(
      ctx,
      cloneSaga,
      { serverId: about.serverId, nodeId: about.nodeId, restoreId: randomUUID(), ...backup },
      about,
    )
  },
})
