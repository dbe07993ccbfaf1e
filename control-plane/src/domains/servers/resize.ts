import type { EditServer, Server } from '@lodge/shared/servers.ts'
import { type Ctx, holds } from '../../context.ts'
import { notFound, Problem } from '../../problem.ts'
import { lockOwner } from '../customers/index.ts'
import { findNode, resizeReservation } from '../nodes/index.ts'
import { findTemplateVersion } from '../templates/index.ts'
import { specOf } from './create.ts'
import { listPorts, lockServer } from './store.ts'
import type { ServerRow } from './tables.ts'
import { describeServer, findView } from './view.ts'
import { changeWish } from './wish.ts'

/** The spec anew from the template version that the server has, with its present size, values and ports. */
export async function respec(ctx: Ctx, row: ServerRow, version = row.templateVersion) {
  const template = await findTemplateVersion(ctx.db, row.templateId, version)
  if (!template) throw new Error(`template ${row.templateId} has no version ${version}`)
  const node = await findNode(ctx.db, row.nodeId)
  const ports = await listPorts(ctx.db, row.id)
  return specOf(template.document, row, ports, node?.address ?? node?.remoteAddress ?? null)
}

/** Changes name and size. The room is taken in the same transaction; limits take effect while the server runs. */
export async function editServer(ctx: Ctx, id: string, change: EditServer): Promise<Server> {
  if (change.force && ctx.actor.kind === 'user' && !holds(ctx.actor, 'servers.force_limits')) {
    throw new Problem(
      'permission_required',
      'Exceeding limits needs the permission servers.force_limits',
      { fields: { permission: 'servers.force_limits' } },
    )
  }
  return ctx.transaction(async (ctx) => {
    const found = await findView(ctx.db, id)
    if (!found) throw notFound('server')
    await lockOwner(ctx.db, found.ownerId)
    const row = await lockServer(ctx.db, id)
    if (!row) throw notFound('server')
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
