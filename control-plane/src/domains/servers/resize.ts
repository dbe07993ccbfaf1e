import { resizeAsks } from '@lodge/shared/limits/asks.ts'
import type { EditServer, Server } from '@lodge/shared/servers.ts'
import type { Ctx } from '../../context.ts'
import { notFound } from '../../problem.ts'
import { lockOwner } from '../customers/index.ts'
import { requireRoom } from '../limits/index.ts'
import { resizeReservation } from '../nodes/index.ts'
import { respec } from './spec.ts'
import { lockServer } from './store.ts'
import { describeServer, findView } from './view.ts'
import { changeWish } from './wish.ts'

/** Changes name and size. The room is taken in the same transaction; limits take effect while the server runs. */
export async function editServer(ctx: Ctx, id: string, change: EditServer): Promise<Server> {
  return ctx.transaction(async (ctx) => {
    const found = await findView(ctx.db, id)
    if (!found) throw notFound('server')
    const owner = await lockOwner(ctx.db, found.ownerId)
    const row = await lockServer(ctx.db, id)
    if (!row || !owner) throw notFound('server')
    const {
      name = row.name,
      memoryMb = row.memoryMb,
      cpuPercent = row.cpuPercent,
      diskMb = row.diskMb,
    } = change
    const by = {
      memoryMb: memoryMb - row.memoryMb,
      cpuPercent: cpuPercent - row.cpuPercent,
      diskMb: diskMb - row.diskMb,
    }
    if (row.subscriptionId === null) {
      await requireRoom(
        ctx,
        owner,
        (usage) => resizeAsks(usage, row, { memoryMb, cpuPercent, diskMb }),
        { force: change.force },
      )
    }
    if (Object.values(by).some((difference) => difference !== 0))
      await resizeReservation(ctx.db, row.nodeId, by)
    const next = { ...row, name, memoryMb, cpuPercent, diskMb }
    await changeWish(ctx, row, {
      name,
      memoryMb,
      cpuPercent,
      diskMb,
      wishSpec: await respec(ctx, next),
    })
    const view = await findView(ctx.db, id)
    if (!view) throw notFound('server')
    return describeServer(view)
  })
}
