import { isDeepStrictEqual } from 'node:util'
import type { JobTitle } from '@lodge/shared/job-words.ts'
import type { Size } from '@lodge/shared/limits/asks.ts'
import { resizeAsks } from '@lodge/shared/limits/asks.ts'
import type { DiskLimits, MachineDisk } from '@lodge/shared/machine-spec.ts'
import type { ChangeVmDisks, ChangeVmResources } from '@lodge/shared/vms.ts'
import { isAdmin } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { invalid } from '../../http/input.ts'
import { Problem } from '../../problem.ts'
import { requireQuota } from '../limits/index.ts'
import { resizeReservation } from '../nodes/index.ts'
import {
  actsForHost,
  beginOperation,
  byNode,
  type MachineRow,
  NO_LIMITS,
  partsLeftOf,
  respec,
  type ServerView,
  tooSmall,
  totalMb,
  updateMachine,
} from '../servers/index.ts'
import { findProfile } from '../virtualization/index.ts'
import { type HeldMachine, holdMachine, requireVm } from './access.ts'
import { requireChangeable } from './changeable.ts'

const MAX_DISKS = 8

/** Changes vCPUs and memory of a stopped machine; capacity is reserved in the same transaction. */
export async function changeResources(
  ctx: Ctx,
  server: ServerView,
  { vcpus, memoryMb, force }: ChangeVmResources,
): Promise<{ jobId: string }> {
  requireVm(server)
  return ctx.transaction(async (ctx) => {
    const held = await holdMachine(ctx, server)
    requireChangeable(held.view)
    const { row, machine } = held
    const profile = await findProfile(ctx.db, machine.profileId)
    const faults = profile ? tooSmall(profile, { vcpus, memoryMb }) : []
    if (faults.length > 0)
      throw invalid(
        faults.map(({ pointer, detail }) => ({ pointer: pointer.replace('/vm', ''), detail })),
      )
    // Scale a CPU share that was set by hand.
    const cpuPercent = Math.max(1, Math.round((row.cpuPercent / machine.vcpus) * vcpus))
    const to = { memoryMb, cpuPercent, diskMb: row.diskMb }
    return change(ctx, held, to, { vcpus }, force, `Change the hardware of ${row.name}`)
  })
}

/** Adds or grows disks of a stopped machine, or changes their I/O limits. */
export async function changeDisks(
  ctx: Ctx,
  server: ServerView,
  { disks: asked, force }: ChangeVmDisks,
): Promise<{ jobId: string }> {
  requireVm(server)
  return ctx.transaction(async (ctx) => {
    const held = await holdMachine(ctx, server)
    requireChangeable(held.view)
    const disks = withChanges(held.machine.disks, asked, actsForHost(ctx))
    if (disks.length > held.machine.disks.length) await requireNothingKept(ctx, server.id)
    const { memoryMb, cpuPercent, name } = held.row
    const to = { memoryMb, cpuPercent, diskMb: totalMb(disks) }
    return change(ctx, held, to, { disks }, force, `Change the disks of ${name}`)
  })
}

/** A copy with newer files lacks a disk that is added now, and disks are never removed. */
async function requireNothingKept(ctx: Ctx, serverId: string): Promise<void> {
  const parts = [...(await partsLeftOf(ctx, serverId)).values()]
  if (parts.some(({ copy }) => copy?.isKept))
    throw new Problem(
      'part_left_behind',
      'Its node keeps another copy of it, which it could not take with a new disk: the host takes that first, or forgets it on the page Failover',
    )
}

/** A new disk gets the limits of the first one, unless the host asks for others. */
function withChanges(
  present: readonly MachineDisk[],
  asked: ChangeVmDisks['disks'],
  mayLimit: boolean,
): MachineDisk[] {
  const disks = [...present]
  const first = present[0]?.limits ?? NO_LIMITS
  const limitsFor = (wanted: DiskLimits | undefined, usual: DiskLimits): DiskLimits => {
    if (wanted === undefined || isDeepStrictEqual(wanted, usual)) return usual
    // They protect the other servers of the node.
    if (mayLimit) return wanted
    throw new Problem(
      'permission_required',
      'How fast a disk may be is for the host to choose: leave out limits',
      { fields: { permission: 'servers.edit' } },
    )
  }
  for (const [at, one] of asked.entries()) {
    const fault = (field: string, detail: string) =>
      invalid([{ pointer: `/disks/${at}/${field}`, detail }])
    if (one.id === undefined) {
      if (one.sizeMb === undefined) throw fault('sizeMb', 'is required for a new disk')
      disks.push({
        id: freshId(disks),
        sizeMb: one.sizeMb,
        limits: limitsFor(one.limits, first),
      })
      continue
    }
    const index = disks.findIndex(({ id }) => id === one.id)
    const disk = disks[index]
    if (!disk) throw fault('id', 'is not a disk of this machine')
    const { sizeMb = disk.sizeMb } = one
    const limits = limitsFor(one.limits, disk.limits)
    if (sizeMb < disk.sizeMb)
      throw fault('sizeMb', `must not be less than ${disk.sizeMb}: a disk never shrinks`)
    disks[index] = { ...disk, sizeMb, limits }
  }
  if (disks.length > MAX_DISKS)
    throw new Problem('conflict', `A machine has at most ${MAX_DISKS} disks`)
  return disks
}

function freshId(disks: readonly MachineDisk[]): string {
  let number = 1
  while (disks.some(({ id }) => id === `data${number}`)) number++
  return `data${number}`
}

/** Reserves capacity, changes the desired state and creates the job. */
async function change(
  ctx: Ctx,
  { owner, row }: HeldMachine,
  to: Size,
  machine: Partial<MachineRow>,
  force: boolean | undefined,
  title: JobTitle,
): Promise<{ jobId: string }> {
  const grows =
    to.memoryMb > row.memoryMb || to.cpuPercent > row.cpuPercent || to.diskMb > row.diskMb
  // The plan is what the customer pays for; only an administrator may give more.
  if (row.subscriptionId !== null && grows && !isAdmin(ctx.actor))
    throw new Problem(
      'invalid_state',
      'This machine came with a plan, which fixes its size: change the plan instead',
    )
  if (row.subscriptionId === null)
    await requireQuota(ctx, owner, (usage) => resizeAsks(usage, row, to), { force })
  const by = {
    memoryMb: to.memoryMb - row.memoryMb,
    cpuPercent: to.cpuPercent - row.cpuPercent,
    diskMb: to.diskMb - row.diskMb,
  }
  if (Object.values(by).some((difference) => difference !== 0))
    await resizeReservation(ctx.db, row.nodeId, by)
  await updateMachine(ctx.db, row.id, machine)
  const next = { ...row, ...to }
  const { jobId } = await beginOperation(ctx, row, {
    title,
    desired: { ...to, ...(await respec(ctx, next)) },
    work: byNode('vm.change', ['Prepare']),
  })
  return { jobId }
}
