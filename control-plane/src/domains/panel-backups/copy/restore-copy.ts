import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chown, copyFile, mkdir, readdir, readFile, realpath, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { lockFolder, unlockFolder } from '@lodge/shared/local/folder-lock.ts'
import type pg from 'pg'
import type { Config } from '../../../config.ts'
import type { EmbeddedLog } from '../../../embedded-postgres/supervisor.ts'
import { type FoundCopy, readManifest } from './copies.ts'
import { digestOfFile } from './digest.ts'
import { tableFile } from './dump-store.ts'
import {
  endJournal,
  formerFolder,
  type Journal,
  placeFiles,
  readJournal,
  restoringFolder,
  stagedFolder,
  writeJournal,
} from './journal.ts'
import { hasData, loadDatabase, othersConnected, wasRestoredBy } from './load-store.ts'
import type { Manifest } from './manifest.ts'
import { emptyFolder, filesIn, MASTER_KEY, OWN_FILES } from './own-files.ts'
import { openOwner } from './owner.ts'
import { CopyRefused } from './refused.ts'
import { failureOf, type Repository, type ResticOptions, restic } from './restic.ts'

type Where = Pick<Config, 'dataFolder' | 'databaseUrl' | 'masterKey' | 'blobs' | 'media'>

export interface RestoreOptions {
  readonly config: Where
  readonly repository: Repository
  readonly copy: FoundCopy
  /** Allows replacing a panel that has accounts. */
  readonly replace: boolean
  readonly restic: ResticOptions
  readonly log: EmbeddedLog
  readonly say: (line: string) => void
  /** Changes the restored database in the same transaction. */
  readonly finish: (client: pg.Client, copy: FoundCopy) => Promise<void>
}

export interface Restored {
  readonly manifest: Manifest
  /** Where the former keys and certificates are; undefined if there were none. */
  readonly former: string | undefined
}

/**
 * Replaces this machine's panel with a copy, while no control plane runs. The transaction on the
 * database decides: if it is killed before the commit, the machine keeps what it had; if after, the
 * next start or restore completes the rest (`settleRestore`).
 * @throws {CopyRefused}
 */
export async function restoreCopy(options: RestoreOptions): Promise<Restored> {
  const { config, log, say, copy } = options
  const { dataFolder } = config
  const settled = await settleRestore(config, log)
  const manifest = await readManifest(options.repository, copy, options.restic)
  // This restore had been interrupted, and is complete now.
  if (settled?.completed && settled.journal.backupId === copy.backupId)
    return { manifest, former: formerOf(dataFolder, settled.journal) }
  await using owner = await openOwner(config, log)
  await requireRoom(owner.client, options.replace)
  await emptyFolder(restoringFolder(dataFolder))
  let isReplaced = false
  try {
    say('Fetching the backup ...')
    const content = await fetchContent(options)
    const state = path.join(content, copy.state)
    await verify(state, manifest, config)
    await stage(state, dataFolder)
    await addFiles(content, manifest.blobs, config.blobs.folder)
    await addFiles(content, manifest.media, config.media.folder)
    const files = OWN_FILES.filter((name) => existsSync(path.join(stagedFolder(dataFolder), name)))
    const journal = { restoreId: randomUUID(), backupId: manifest.backupId, files }
    await writeJournal(dataFolder, journal)
    say('Writing the database ...')
    await loadDatabase(owner.client, state, manifest.database, {
      restoreId: journal.restoreId,
      finish: (client) => options.finish(client, copy),
      onProgress: () => undefined,
    })
    isReplaced = true
    await placeFiles(dataFolder, journal)
    await endJournal(dataFolder)
    return { manifest, former: formerOf(dataFolder, journal) }
  } catch (error) {
    // After a lost connection it is unknown whether the commit succeeded, so the database is checked
    // later.
    const mayBeDecided = await readJournal(dataFolder).then(Boolean, () => true)
    if (!mayBeDecided) await rm(restoringFolder(dataFolder), { recursive: true, force: true })
    throw inWords(error, dataFolder, isReplaced)
  }
}

function formerOf(dataFolder: string, journal: Journal): string | undefined {
  const former = formerFolder(dataFolder, journal)
  return existsSync(former) ? former : undefined
}

function inWords(error: unknown, folder: string, isReplaced: boolean): unknown {
  if (isReplaced)
    return new CopyRefused(
      'conflict',
      'The database is restored, but not all keys are in their places: run this again, or start the panel',
      { cause: error },
    )
  const { code } = error as NodeJS.ErrnoException
  // PostgreSQL has its own code for a full disk.
  if (code !== 'ENOSPC' && code !== 'EDQUOT' && code !== '53100') return error
  return new CopyRefused(
    'storage_full',
    `There is no room for the backup in ${folder}: free some and restore again. Nothing was replaced.`,
    { cause: error },
  )
}

const SETTLING = 'restore'
const SETTLED_MS = 120_000

/**
 * Ends an interrupted restore: completes it if the database has been replaced, otherwise removes what
 * it fetched.
 * @returns the result, if the restore had a journal
 */
export async function settleRestore(
  config: Pick<Config, 'dataFolder' | 'databaseUrl'>,
  log: EmbeddedLog,
): Promise<{ readonly journal: Journal; readonly completed: boolean } | undefined> {
  const { dataFolder } = config
  if (!existsSync(restoringFolder(dataFolder))) return undefined
  // Of several control planes that share the folder, the first to start does this.
  await lockFolder(dataFolder, SETTLING, { variable: 'LODGE_DATA', patienceMs: SETTLED_MS })
  try {
    return await settleAlone(config, log)
  } finally {
    unlockFolder(dataFolder, SETTLING)
  }
}

async function settleAlone(
  config: Pick<Config, 'dataFolder' | 'databaseUrl'>,
  log: EmbeddedLog,
): ReturnType<typeof settleRestore> {
  const { dataFolder } = config
  if (!existsSync(restoringFolder(dataFolder))) return undefined
  const journal = await readJournal(dataFolder)
  let completed = false
  if (journal) {
    await using owner = await openOwner(config, log)
    completed = await wasRestoredBy(owner.client, journal.restoreId)
    if (completed) await placeFiles(dataFolder, journal)
  }
  await endJournal(dataFolder)
  if (!journal) {
    log.warn('What an interrupted restore had left was removed')
    return undefined
  }
  log.warn(
    completed
      ? 'An interrupted restore was completed'
      : 'An interrupted restore was undone: nothing was replaced',
  )
  return { journal, completed }
}

async function requireRoom(client: pg.Client, replace: boolean): Promise<void> {
  const others = await othersConnected(client)
  if (others > 0)
    throw new CopyRefused(
      'conflict',
      `${others} connections of Lodge use this database: stop every control plane first`,
    )
  if (!replace && (await hasData(client)))
    throw new CopyRefused(
      'conflict',
      'This machine has a panel with accounts. To replace it, with everything in its database, add --replace',
    )
}

async function fetchContent(options: RestoreOptions): Promise<string> {
  const { repository, copy, config } = options
  const content = path.join(restoringFolder(config.dataFolder), 'content')
  const args = ['--no-lock', 'restore', copy.snapshotId, '--target', content, '--verify']
  const ended = await restic(repository, args, options.restic)
  if (ended.code !== 0 || /There were \d+ errors|Fatal:|ignoring error/.test(ended.said))
    throw failureOf(ended)
  return content
}

async function verify(state: string, manifest: Manifest, { masterKey }: Where): Promise<void> {
  const expected = [
    ...manifest.files.map((one) => ({ ...one, at: path.join(filesIn(state), one.path) })),
    ...manifest.database.tables.map((one) => ({ ...one, at: tableFile(state, one.name) })),
  ]
  for (const { at, sha256 } of expected)
    if (!existsSync(at) || (await digestOfFile(at)) !== sha256) throw damaged()
  const named = new Set(expected.map(({ at }) => at))
  for (const entry of await readdir(filesIn(state), { recursive: true, withFileTypes: true })) {
    const isNamed = entry.isFile() && named.has(path.join(entry.parentPath, entry.name))
    if (!isNamed && !entry.isDirectory()) throw damaged()
  }
  if (!masterKey) return
  const key = await readFile(path.join(filesIn(state), MASTER_KEY), 'utf8').catch(() => '')
  if (key !== masterKey.reveal())
    throw new CopyRefused(
      'invalid',
      'LODGE_MASTER_KEY is another key than the one of the backup, which brings its own: unset it',
    )
}

const damaged = () =>
  new CopyRefused('backup_damaged', 'The backup is incomplete: choose an earlier one with --backup')

/** Files get the owner who restores them, since account ids differ between machines. */
async function stage(state: string, dataFolder: string): Promise<void> {
  const staged = stagedFolder(dataFolder)
  await rename(filesIn(state), staged)
  const [uid, gid] = [process.getuid?.(), process.getgid?.()]
  if (uid === undefined || gid === undefined) return
  for (const entry of await readdir(staged, { recursive: true }))
    await chown(path.join(staged, entry), uid, gid)
}

/**
 * Adds content-addressed files to a folder, and leaves existing ones: until the database refers to
 * them, they change nothing.
 */
async function addFiles(content: string, from: string | null, to: string): Promise<void> {
  if (from === null) return
  const source = path.join(content, from)
  if (!existsSync(source)) return
  // A link there could point to files of this machine, which would then be moved.
  if ((await realpath(source)) !== path.join(await realpath(content), from)) throw damaged()
  for (const entry of await readdir(source, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = path.join(entry.parentPath, entry.name)
    const place = path.join(to, path.relative(source, file))
    if (existsSync(place)) continue
    await mkdir(path.dirname(place), { recursive: true, mode: 0o700 })
    await rename(file, place).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EXDEV') throw error
      await copyFile(file, `${place}.new`)
      await rename(`${place}.new`, place)
    })
  }
}
