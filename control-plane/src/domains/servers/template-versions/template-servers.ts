import type { Ctx } from '../../../context.ts'
import type { Db } from '../../../db/database.ts'
import { invalid } from '../../../http/input.ts'
import { Problem } from '../../../problem.ts'
import type { TemplateRow } from '../../templates/index.ts'
import { serverIdsOf, serversOfOlderVersions } from './template-servers-store.ts'
import { applyTemplateVersion } from './template-version.ts'

export interface AppliedTemplate {
  jobs: { serverId: string; jobId: string }[]
  skipped: { serverId: string; detail: string }[]
}

/** Moves all outdated servers, or the given ones, to the newest version: one job each. */
export async function applyNewestVersion(
  ctx: Ctx,
  template: TemplateRow,
  given: { confirm?: boolean | undefined; serverIds?: readonly string[] | undefined },
): Promise<AppliedTemplate> {
  if (given.confirm !== true) {
    throw new Problem(
      'confirmation_required',
      'Running servers are restarted: send "confirm": true',
    )
  }
  const outdated = new Set((await serversOfOlderVersions(ctx.db, template)).map((row) => row.id))
  if (given.serverIds) await requireServersOf(ctx.db, template, given.serverIds)
  const chosen = given.serverIds ? given.serverIds.filter((id) => outdated.has(id)) : [...outdated]
  const applied: AppliedTemplate = { jobs: [], skipped: [] }
  for (const serverId of new Set(chosen)) {
    try {
      const job = await applyTemplateVersion(ctx, serverId)
      if (job) applied.jobs.push({ serverId, jobId: job.jobId })
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      applied.skipped.push({ serverId, detail: error.message })
    }
  }
  return applied
}

async function requireServersOf(db: Db, template: TemplateRow, ids: readonly string[]) {
  const known = await serverIdsOf(db, template.id)
  const strange = ids.flatMap((id, at) =>
    known.has(id)
      ? []
      : [{ pointer: `/serverIds/${at}`, detail: 'is not a server of this template' }],
  )
  if (strange.length > 0) throw invalid(strange)
}
