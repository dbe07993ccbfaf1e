import type { ServerPreset } from '@lodge/shared/plans.ts'
import type { Ctx } from '../../../context.ts'
import type { Db } from '../../../db/database.ts'
import { notFound, Problem } from '../../../problem.ts'
import { lockOwner } from '../../customers/index.ts'
import { resizeReservation, type Size } from '../../nodes/index.ts'
import { changeDesired } from '../desired-state/desired-state.ts'
import { holdsOf } from '../hold-store.ts'
import { totalMb } from '../machine/shape.ts'
import { findMachine, updateMachine } from '../machine/store.ts'
import { editServer } from '../settings/resize.ts'
import { respec } from '../spec/spec.ts'
import { findServer, lockServer } from '../store.ts'
import type { ServerRow } from '../tables.ts'
import { findView } from '../view/view.ts'

type PlanSize = Pick<ServerPreset, 'memoryMb' | 'cpuPercent' | 'diskMb' | 'vm'>

/** The machine's disks with a system disk of at least this size; none shrinks. */
async function grownDisks(db: Db, { id }: ServerRow, systemMb: number) {
  const disks = (await findMachine(db, id))?.disks ?? []
  return disks.map((disk, at) =>
    at === 0 ? { ...disk, sizeMb: Math.max(disk.sizeMb, systemMb) } : disk,
  )
}

interface PresentSize extends Size {
  readonly nodeId: string
  /** Of a virtual machine. */
  readonly vcpus: number | null
  readonly isOn: boolean
}

/** The size of a server now and with this plan; undefined if it does not exist. */
export async function sizeWithPlan(
  db: Db,
  serverId: string,
  { memoryMb, cpuPercent, diskMb, vm }: PlanSize,
): Promise<{ present: PresentSize; next: Size & Pick<PresentSize, 'vcpus'> } | undefined> {
  const row = await findServer(db, serverId)
  if (!row) return undefined
  const isOn = row.desiredPower === 'on'
  const next = { memoryMb, cpuPercent, diskMb, vcpus: null }
  if (row.kind !== 'vm') return { present: { ...row, vcpus: null, isOn }, next }
  const vcpus = (await findMachine(db, serverId))?.vcpus ?? null
  const grown = totalMb(await grownDisks(db, row, diskMb))
  return {
    present: { ...row, vcpus, isOn },
    next: { ...next, diskMb: grown, vcpus: vm?.vcpus ?? vcpus },
  }
}

const MIB = 1024 * 1024

/** Whether a container's files fit on a disk of this size; not if nobody knows how much they take. */
export async function fitsOnDisk(db: Db, serverId: string, diskMb: number): Promise<boolean> {
  const used = (await findView(db, serverId))?.usageDisk ?? null
  return used !== null && used <= diskMb * MIB
}

/** Holds that do not keep a machine's disks and memory from changing. */
const HARMLESS = ['suspension']

/**
 * Gives a server the size of its plan. A container gets it immediately; a running virtual machine
 * gets processors, memory and disk at its next start.
 * @throws {Problem} no_capacity, hold_active
 */
export async function resizePlanServer(ctx: Ctx, serverId: string, plan: PlanSize): Promise<void> {
  const { memoryMb, cpuPercent, diskMb, vm } = plan
  const found = await findServer(ctx.db, serverId)
  if (!found) throw notFound('server')
  if (found.kind !== 'vm') {
    await editServer(ctx, serverId, { memoryMb, cpuPercent, diskMb })
    return
  }
  await ctx.transaction(async (ctx) => {
    await lockOwner(ctx.db, found.ownerId)
    const row = await lockServer(ctx.db, serverId)
    if (!row) throw notFound('server')
    const holds = (await holdsOf(ctx.db, [serverId])).get(serverId) ?? []
    if (holds.some((kind) => !HARMLESS.includes(kind)))
      throw new Problem(
        'hold_active',
        'Other work on the machine has to end first: its new size is tried again afterwards',
      )
    const disks = await grownDisks(ctx.db, row, diskMb)
    const size = { memoryMb, cpuPercent, diskMb: totalMb(disks) }
    await resizeReservation(ctx.db, row.nodeId, {
      memoryMb: size.memoryMb - row.memoryMb,
      cpuPercent: size.cpuPercent - row.cpuPercent,
      diskMb: size.diskMb - row.diskMb,
    })
    await updateMachine(ctx.db, serverId, { disks, ...(vm && { vcpus: vm.vcpus }) })
    await changeDesired(ctx, row, { ...size, ...(await respec(ctx, { ...row, ...size })) })
  })
}
