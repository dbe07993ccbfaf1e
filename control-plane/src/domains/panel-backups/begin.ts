import { randomUUID } from 'node:crypto'
import type { Ctx } from '../../context.ts'
import { lockScope, tryLock } from '../../db/advisory-locks.ts'
import type { Db } from '../../db/database.ts'
import { Problem } from '../../problem.ts'
import { backUpPanelSaga } from './saga.ts'
import { addressOf, storedSettings } from './settings.ts'
import { endBackup, findRunning, insertBackup, setJob } from './store.ts'
import type { PanelBackupRow } from './tables.ts'

export const INTERRUPTED = {
  code: 'panel_backup_failed',
  detail: 'The program that made it was ended',
}

/** Records a new backup, in the caller's transaction. Null while another is being made. */
export async function noteBegin(
  db: Db,
  about: Pick<PanelBackupRow, 'scheduled' | 'place' | 'address'>,
): Promise<string | null> {
  await lockScope(db, 'panel backups')
  const running = await findRunning(db)
  if (running) {
    // A job resumes its own backup. That of the command died with the command if nobody holds the
    // lock.
    if (running.jobId !== null || !(await tryLock(db, 'panelBackup'))) return null
    await endBackup(db, running.id, {
      state: 'failed',
      failure: INTERRUPTED,
      finishedAt: new Date(),
    })
  }
  const id = randomUUID()
  await insertBackup(db, { id, state: 'running', ...about })
  return id
}

/** Begins a backup at the place in the settings. */
export async function beginBackup(ctx: Ctx): Promise<{ backupId: string; jobId: string }> {
  const begun = await begin(ctx, false)
  if (begun) return begun
  throw new Problem('panel_backup_running', 'Wait until it is complete, or cancel its job')
}

/** Does the same by schedule; null while another is being made, even by the command. */
export const beginScheduled = (ctx: Ctx) => begin(ctx, true)

const begin = (ctx: Ctx, scheduled: boolean): Promise<{ backupId: string; jobId: string } | null> =>
  ctx.transaction(async (ctx) => {
    const settings = await storedSettings(ctx.db)
    const address = addressOf(settings)
    if (address === null)
      throw new Problem('invalid_state', 'Say in the settings where backups of the panel go first')
    const id = await noteBegin(ctx.db, { scheduled, place: settings.place, address })
    if (id === null) return null
    const job = await ctx.jobs.sagas.enqueue(
      ctx,
      backUpPanelSaga,
      { backupId: id },
      { title: `Back up the panel to ${address}` },
    )
    await setJob(ctx.db, id, job.id)
    await ctx.live.announce(ctx.db, { kind: 'panel-backups', id })
    return { backupId: id, jobId: job.id }
  })
