import { z } from 'zod'
import type { System } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { giveWay } from '../../jobs/sagas/give-way.ts'
import { Permanent, type StepTools, saga } from '../../jobs/sagas/saga.ts'
import { CopyRefused } from './copy/refused.ts'
import type { Repository } from './copy/restic.ts'
import { complete, forgetOld, perform } from './perform.ts'
import { addressOf, noteInSettings, openRepository, storedSettings } from './settings.ts'
import { endBackup, findBackup } from './store.ts'

const About = z.object({ backupId: z.uuid() })
/** Progress is stored at most this often. */
const REPORT_EVERY_MS = 1_000

/** Backs the panel up. If it is killed, it starts again. */
export const backUpPanelSaga = saga('panel.backup', About).step('Copy the panel', {
  async do({ backupId }, tools) {
    const { ctx } = tools
    const present = await findBackup(ctx.db, backupId)
    if (present?.state !== 'running') return
    const repository = await repositoryOf(ctx, present.address)
    await make({ backupId, repository, address: present.address }, tools)
    await forgetOld(ctx, repository, present.address, tools.signal).catch((error: unknown) =>
      ctx.log.warn({ err: error }, 'old backups of the panel could not be deleted'),
    )
  },
  undo: ({ backupId }, tools) => fail(backupId, tools),
})

async function repositoryOf(ctx: Ctx<System>, address: string): Promise<Repository> {
  const repository = await openRepository(ctx.db, ctx.vault)
  if (repository && addressOf(await storedSettings(ctx.db)) === address) return repository
  throw new Permanent('panel_backup_failed', 'The place of the backups was changed meanwhile')
}

async function make(
  about: { readonly backupId: string; readonly repository: Repository; readonly address: string },
  tools: StepTools,
): Promise<void> {
  const { ctx, signal } = tools
  const { backupId } = about
  let reportedAt = 0
  let telling = Promise.resolve()
  const onProgress = (percent: number, detail: string) => {
    if (Date.now() - reportedAt < REPORT_EVERY_MS) return
    reportedAt = Date.now()
    telling = telling.then(() => tools.progress(percent, detail)).catch(() => undefined)
  }
  const work = { ...about, signal, onProgress }
  const copy = await tools
    .elsewhere(() => perform(ctx, work))
    .catch(async (error: unknown) => {
      await giveWay(tools)
      if (!(error instanceof CopyRefused)) throw error
      ctx.log.warn({ err: error }, 'the panel could not be backed up')
      const code = error.code === 'storage_full' ? error.code : 'panel_backup_failed'
      throw new Permanent(code, error.message)
    })
    .finally(() => telling)
  await ctx.transaction(async (ctx) => {
    await complete(ctx.db, backupId, copy)
    await noteInSettings(ctx.db, (present) => ({ ...present, toldOverdueAt: null }))
    await ctx.live.announce(ctx.db, { kind: 'panel-backups', id: backupId })
  })
}

async function fail(backupId: string, { ctx, failure, job }: StepTools): Promise<void> {
  await ctx.transaction(async (ctx) => {
    const why = failure ?? { code: 'internal_error', detail: 'It could not be made' }
    const change = { state: 'failed', failure: why, finishedAt: ctx.now } as const
    if (!(await endBackup(ctx.db, backupId, change))) return
    await ctx.live.announce(ctx.db, { kind: 'panel-backups', id: backupId })
    if (!job.cancelRequested)
      await ctx.emit('panel-backup.failed', { backupId, reason: why.detail })
  })
}
