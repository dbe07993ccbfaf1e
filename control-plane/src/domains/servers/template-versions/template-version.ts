import type { Ctx } from '../../../context.ts'
import { findTemplate } from '../../templates/index.ts'
import { beginOperation, byNode } from '../operation.ts'
import { respec } from '../spec/spec.ts'
import { lockServer } from '../store.ts'

/**
 * Moves a server to its template's newest version. A running server restarts, and the job ends when
 * it is back. Undefined if it already has that version or is gone.
 */
export async function applyTemplateVersion(
  ctx: Ctx,
  serverId: string,
): Promise<{ jobId: string } | undefined> {
  return ctx.transaction(async (ctx) => {
    const row = await lockServer(ctx.db, serverId)
    const template = row?.templateId ? await findTemplate(ctx.db, row.templateId) : undefined
    if (!row || !template || template.version === row.templateVersion) return undefined
    const stored = await respec(ctx, row, template.version)
    const restart =
      row.desiredPower === 'on'
        ? { desiredRun: row.desiredRun + 1, desiredEnding: 'graceful' as const }
        : {}
    const { jobId } = await beginOperation(ctx, row, {
      title: `Update ${row.name} to version ${template.version} of ${template.name}`,
      desired: { templateVersion: template.version, ...stored, ...restart },
      work: byNode('server.update', ['Prepare', 'Restart']),
    })
    return { jobId }
  })
}
