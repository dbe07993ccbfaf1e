import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeDurably } from '@lodge/driver/durable.ts'
import { MadeBackup } from '@lodge/shared/backup-work.ts'

const Made = MadeBackup.omit({ takenWhileRunning: true })
type Made = Omit<MadeBackup, 'takenWhileRunning'>

/** What became of each backup, so that a repeated task makes no second one. */
export function backupRecords(folder: string) {
  const fileOf = (backupId: string) => join(folder, `${backupId}.json`)
  async function write(backupId: string, text: string): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeDurably(fileOf(backupId), text)
  }
  return {
    /** Undefined before the first attempt; without `made` while it is unknown. */
    async of(backupId: string): Promise<{ readonly made?: Made } | undefined> {
      const text = await readFile(fileOf(backupId), 'utf8').catch(() => undefined)
      if (text === undefined) return undefined
      try {
        return { made: Made.parse(JSON.parse(text)) }
      } catch {
        return {}
      }
    },
    begin: (backupId: string) => write(backupId, '{}'),
    end: (backupId: string, made: Made) => write(backupId, JSON.stringify(made)),
    forget: (backupId: string) => rm(fileOf(backupId), { force: true }),
  }
}
