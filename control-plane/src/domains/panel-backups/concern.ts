import type { Db } from '../../db/database.ts'
import { isOverdue } from './schedule.ts'
import { storedSettings } from './settings.ts'
import { lastGoodAt, newestEnded } from './store.ts'

/** How long a failure counts as news if no schedule repeats the backup. */
const NEWS_MS = 24 * 3_600_000

/** What is wrong with the backups of the panel. */
export interface BackupConcern {
  /** `overdue`: the last two scheduled ones are missing; `failed`: the newest one failed. */
  readonly kind: 'overdue' | 'failed'
  /** Why the newest one failed, if it did. */
  readonly reason: string | null
  /** `overdue`: when the newest complete one was made; `failed`: when it failed. */
  readonly since: Date | null
}

/** The most serious concern about the backups of the panel; undefined if there is none. */
export async function backupConcern(db: Db, now: Date): Promise<BackupConcern | undefined> {
  const newest = await newestEnded(db)
  const reason = newest?.failure?.detail ?? null
  const good = await lastGoodAt(db)
  const settings = await storedSettings(db)
  if (isOverdue(settings, good, now)) return { kind: 'overdue', reason, since: good }
  if (newest?.state !== 'failed') return undefined
  const { finishedAt: since } = newest
  const isNews = since !== null && now.getTime() - since.getTime() < NEWS_MS
  return settings.schedule || isNews ? { kind: 'failed', reason, since } : undefined
}
