import { existsSync } from 'node:fs'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { unlessGone } from '@lodge/shared/local/files.ts'
import { z } from 'zod'
import { OWN_FILES } from './own-files.ts'

const Journal = z.object({
  restoreId: z.uuid(),
  backupId: z.uuid(),
  /** Which of our own files the copy contains. */
  files: z.array(z.enum(OWN_FILES)),
})
export type Journal = z.infer<typeof Journal>

/** Everything of a restore in progress. */
export const restoringFolder = (dataFolder: string): string => path.join(dataFolder, 'restoring')

/** Where the verified files of the copy wait for the database. */
export const stagedFolder = (dataFolder: string): string =>
  path.join(restoringFolder(dataFolder), 'files')

const journalFile = (dataFolder: string) => path.join(restoringFolder(dataFolder), 'journal.json')

/** Where a restore moves the keys and certificates that it replaces. */
export const formerFolder = (dataFolder: string, { restoreId }: Journal): string =>
  path.join(dataFolder, `before-restore-${restoreId}`)

/** Written once all files of the copy have arrived, before the database changes. */
export async function writeJournal(dataFolder: string, journal: Journal): Promise<void> {
  const file = journalFile(dataFolder)
  const draft = await open(`${file}.new`, 'w', 0o600)
  try {
    await draft.writeFile(JSON.stringify(journal))
    await draft.sync()
  } finally {
    await draft.close()
  }
  await rename(`${file}.new`, file)
  await sync(restoringFolder(dataFolder))
}

/** An interrupted restore that got past that point; undefined if there is none. */
export async function readJournal(dataFolder: string): Promise<Journal | undefined> {
  const text = await readFile(journalFile(dataFolder), 'utf8').catch(unlessGone)
  return text === undefined ? undefined : Journal.parse(JSON.parse(text))
}

/**
 * Moves the staged files into place and the former ones aside. The database already refers to them,
 * so an interrupted call must be repeated until it succeeds.
 */
export async function placeFiles(dataFolder: string, journal: Journal): Promise<void> {
  const former = formerFolder(dataFolder, journal)
  for (const name of OWN_FILES) {
    const staged = path.join(stagedFolder(dataFolder), name)
    const place = path.join(dataFolder, name)
    const aside = path.join(former, name)
    const isPlaced = journal.files.includes(name) && !existsSync(staged)
    if (existsSync(place) && !existsSync(aside) && !isPlaced) {
      await mkdir(former, { recursive: true, mode: 0o700 })
      await rename(place, aside)
    }
    if (existsSync(staged)) await rename(staged, place)
  }
  await sync(dataFolder)
}

export async function endJournal(dataFolder: string): Promise<void> {
  await rm(journalFile(dataFolder), { force: true })
  await rm(restoringFolder(dataFolder), { recursive: true, force: true })
}

/** A rename is durable only once the folder is synced. */
async function sync(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}
