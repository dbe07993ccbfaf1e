import type { ChangeVmInstallation } from '@lodge/shared/vms.ts'
import type { Ctx } from '../../context.ts'
import { invalid } from '../../http/input.ts'
import { Problem } from '../../problem.ts'
import { findNode } from '../nodes/index.ts'
import {
  beginOperation,
  byNode,
  findSource,
  type MachineRow,
  requireOnNode,
  respec,
  type ServerView,
  seedOf,
  updateMachine,
} from '../servers/index.ts'
import { findMedium, whyNotMedium, whyNotWithMedia } from '../virtualization/index.ts'
import { holdMachine, requireVm } from './access.ts'
import { requireChangeable } from './changeable.ts'

/** Inserts an approved medium into a stopped machine's drive, or reinstalls the machine. */
export async function changeInstallation(
  ctx: Ctx,
  server: ServerView,
  given: ChangeVmInstallation,
): Promise<{ jobId: string }> {
  requireVm(server)
  if (given.source && !given.reinstall)
    throw invalid([{ pointer: '/source', detail: 'is for a reinstallation: send reinstall too' }])
  if (given.reinstall && given.confirm !== true)
    throw new Problem(
      'confirmation_required',
      'Reinstalling replaces the system disk, the firmware variables and the TPM: send confirm as true',
    )
  return ctx.transaction(async (ctx) => {
    const { row, machine, view } = await holdMachine(ctx, server)
    requireChangeable(view)
    await requireFetchable(ctx, row.nodeId, given)
    if (given.reinstall) await requireOnNode(ctx, row, 'installer')
    await updateMachine(ctx.db, row.id, {
      ...(given.bootOrder && { bootOrder: [...new Set(given.bootOrder)] }),
      ...(given.reinstall && (await sourceOf(ctx, machine, given))),
      ...(given.mediumId !== undefined && { mediumId: await approved(ctx, given.mediumId) }),
    })
    const { jobId } = await beginOperation(ctx, row, {
      title: given.reinstall ? `Reinstall ${row.name}` : `Change the medium of ${row.name}`,
      desired: {
        ...(await respec(ctx, row)),
        ...(given.reinstall && { desiredInstall: row.desiredInstall + 1 }),
      },
      work: given.reinstall
        ? byNode('server.reinstall', ['Prepare the image', 'Install'])
        : byNode('vm.change', ['Prepare']),
    })
    return { jobId }
  })
}

/**
 * Refuses, before anything changes, media that the node's agent is too old to fetch or that fit on
 * none of its disks.
 */
async function requireFetchable(
  ctx: Ctx,
  nodeId: string,
  { mediumId, source }: ChangeVmInstallation,
): Promise<void> {
  const node = await findNode(ctx.db, nodeId)
  const ids = [mediumId, source && source.kind !== 'empty' ? source.mediumId : null]
  const media = ids.map(async (id) => (id ? ((await findMedium(ctx.db, id)) ?? null) : null))
  const why = node && whyNotWithMedia(node, await Promise.all(media))
  if (why) throw new Problem('unsupported_on_node', `This cannot be installed: ${why}`)
}

async function approved(ctx: Ctx, id: string | null): Promise<string | null> {
  if (id === null) return null
  const row = await findMedium(ctx.db, id)
  const why = whyNotMedium(row) ?? (row?.kind === 'iso' ? undefined : 'is no installation medium')
  if (why) throw invalid([{ pointer: '/mediumId', detail: why }])
  return id
}

/** The start of the new installation; a seed gets a new identity, so that the guest applies it. */
async function sourceOf(
  ctx: Ctx,
  machine: MachineRow,
  given: ChangeVmInstallation,
): Promise<Partial<MachineRow>> {
  if (!given.source) {
    if (!machine.seed) return {}
    // Cloud-init runs only once per instance id.
    return { seed: { ...machine.seed, instanceId: crypto.randomUUID() } }
  }
  const { medium, image } = await findSource(ctx.db, given.source, '/source')
  const least = image?.virtualSizeMb ?? 0
  const system = machine.disks[0]?.sizeMb ?? 0
  if (system < least)
    throw invalid([
      {
        pointer: '/source/mediumId',
        detail: `needs a system disk of ${least} MiB at least: let it grow first`,
      },
    ])
  return {
    imageId: image?.id ?? null,
    seed: seedOf(given.source, machine.hostname),
    mediumId: medium?.id ?? null,
  }
}
