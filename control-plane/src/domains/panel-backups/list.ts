import { existsSync } from 'node:fs'
import type { PanelBackup, PanelBackups } from '@lodge/shared/panel-backups.ts'
import type { Ctx } from '../../context.ts'
import { isOverdue, nextAt } from './schedule.ts'
import { addressOf, storedSettings } from './settings.ts'
import { lastGoodAt, lastScheduledAt, newestBackups } from './store.ts'
import type { PanelBackupRow } from './tables.ts'

export async function listPanelBackups(ctx: Ctx): Promise<PanelBackups> {
  const settings = await storedSettings(ctx.db)
  const items = await newestBackups(ctx.db)
  const good = await lastGoodAt(ctx.db)
  const next = nextAt(settings, await lastScheduledAt(ctx.db))
  return {
    items: items.map(describe),
    lastGoodAt: good?.toISOString() ?? null,
    nextAt: next?.toISOString() ?? null,
    overdue: isOverdue(settings, good, ctx.now),
    recoveryKeyUnseen: settings.recoveryKey !== null && !settings.recoveryKeyShown,
    whyNot: whyNot(addressOf(settings), items),
  }
}

function whyNot(address: string | null, items: readonly PanelBackupRow[]): string | null {
  if (!hasRestic())
    return 'Install restic on the machine of the control plane first: apt-get install restic.'
  if (address === null) return 'Say first where backups of the panel go.'
  return items.some(({ state }) => state === 'running') ? 'A backup is being made.' : null
}

const hasRestic = (): boolean =>
  (process.env.PATH ?? '/usr/bin:/bin').split(':').some((folder) => existsSync(`${folder}/restic`))

const describe = (row: PanelBackupRow): PanelBackup => ({
  id: row.id,
  state: row.state,
  scheduled: row.scheduled,
  place: row.place,
  address: row.address,
  snapshotId: row.snapshotId,
  sizeBytes: row.sizeBytes,
  storedBytes: row.storedBytes,
  createdAt: row.createdAt.toISOString(),
  finishedAt: row.finishedAt?.toISOString() ?? null,
  jobId: row.jobId,
  failure: row.failure,
})
