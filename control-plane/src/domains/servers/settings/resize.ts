import { resizeAsks } from '@lodge/shared/limits/asks.ts'
import type { EditServer, Server } from '@lodge/shared/servers.ts'
import type { Ctx } from '../../../context.ts'
import { notFound, Problem } from '../../../problem.ts'
import { lockOwner } from '../../customers/index.ts'
import { requireQuota } from '../../limits/index.ts'
import { resizeReservation } from '../../nodes/index.ts'
import { changeDesired } from '../desired-state/desired-state.ts'
import { respec } from '../spec/spec.ts'
import { lockServer } from '../store.ts'
import type { ServerRow } from '../tables.ts'
import { describeServer, findView } from '../view/view.ts'

/**
 * Changes name and size. Capacity is taken in the same transaction; new sizes apply while the
 * server runs.
 */
export async function editServer(ctx: Ctx, id: string, change: EditServer): Promise<Server> {
  return ctx.transaction(async (ctx) => {
    const row = isSized(change) ? await resized(ctx, id, change) : await lockServer(ctx.db, id)
    if (!row) throw notFound('server')
    const { name = row.name } = change
    const next = { ...row, name, ...sizeOf(row, change) }
    await changeDesired(ctx, row, {
      name,
      ...sizeOf(row, change),
      ...(await respec(ctx, next)),
    })
    const view = await findView(ctx.db, id)
    if (!view) throw notFound('server')
    return describeServer(view)
  })
}

/** A new name alone takes no capacity, so it need not wait for the owner's row. */
const isSized = ({ memoryMb, cpuPercent, diskMb, force }: EditServer): boolean =>
  [memoryMb, cpuPercent, diskMb, force].some((given) => given !== undefined)

const sizeOf = (row: ServerRow, change: EditServer) => ({
  memoryMb: change.memoryMb ?? row.memoryMb,
  cpuPercent: change.cpuPercent ?? row.cpuPercent,
  diskMb: change.diskMb ?? row.diskMb,
})

/**
 * Locks owner and server, in this order like everywhere, and takes the capacity of the new size.
 */
async function resized(ctx: Ctx, id: string, change: EditServer): Promise<ServerRow | undefined> {
  const found = await findView(ctx.db, id)
  if (!found) return undefined
  const [owner, row] = await Promise.all([lockOwner(ctx.db, found.ownerId), lockServer(ctx.db, id)])
  if (!row || !owner) return undefined
  const size = sizeOf(row, change)
  if (row.kind === 'vm') requireNoShape(row, size)
  const by = {
    memoryMb: size.memoryMb - row.memoryMb,
    cpuPercent: size.cpuPercent - row.cpuPercent,
    diskMb: size.diskMb - row.diskMb,
  }
  // A server that came with a plan is bound by the plan, not by the owner's limits.
  if (row.subscriptionId === null) {
    await requireQuota(ctx, owner, (usage) => resizeAsks(usage, row, size), { force: change.force })
  }
  if (Object.values(by).some((difference) => difference !== 0))
    await resizeReservation(ctx.db, row.nodeId, by)
  return row
}

/** A machine's memory and disks are changed elsewhere, where it is known to be stopped. */
function requireNoShape(row: ServerRow, size: { memoryMb: number; diskMb: number }): void {
  if (size.memoryMb === row.memoryMb && size.diskMb === row.diskMb) return
  throw new Problem(
    'invalid_state',
    'Memory and disks of a virtual machine are changed with its hardware, while it is stopped',
  )
}
