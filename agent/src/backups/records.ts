import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeDurably } from '@lodge/driver/durable.ts'
import { MadeBackup } from '@lodge/shared/backup-work.ts'

/** What became of each complete backup, so that a repeated task makes no second one. */
export function backupRecords(folder: string) {
  const fileOf = (backupId: string) => join(folder, `${backupId}.json`)
  return {
    /** Undefined for a backup that is not known to be complete. */
    async of(backupId: string): Promise<MadeBackup | undefined> {
      const text = await readFile(fileOf(backupId), 'utf8').catch(() => undefined)
      if (text === undefined) return undefined
      try {
        return MadeBackup.parse(JSON.parse(text))
      } catch {
        return undefined
      }
    },
    async keep(backupId: string, made: MadeBackup): Promise<void> {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeDurably(fileOf(backupId), JSON.stringify(made))
    },
    forget: (backupId: string) => rm(fileOf(backupId), { force: true }),
  }
}
