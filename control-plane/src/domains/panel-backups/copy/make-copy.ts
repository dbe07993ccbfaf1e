import { existsSync } from 'node:fs'
import { realpath, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { unlessGone } from '@lodge/shared/local/files.ts'
import { jsonOf, unreadFile } from '@lodge/shared/local/restic-output.ts'
import type pg from 'pg'
import { z } from 'zod'
import type { Services } from '../../../services.ts'
import { dumpDatabase, stillKept } from './dump-store.ts'
import { FORMAT, Manifest } from './manifest.ts'
import { copyOwnFiles, emptyFolder, missingBlobs, OWN_FILES } from './own-files.ts'
import { CopyRefused } from './refused.ts'
import { failureOf, isMissing, type Repository, type ResticOptions, restic } from './restic.ts'

/** Tag of every copy of a panel; a second tag is the id of the backup. */
export const PANEL_TAG = 'lodge-panel'
/** The path of every copy's state folder ends with this; a restore finds it by that. */
export const STATE_FOLDER = 'panel-backup/state'

export const cacheFolderOf = (dataFolder: string): string =>
  path.join(dataFolder, 'panel-backup/cache')

const OWN_FOLDERS = ['panel-backup', 'restoring', 'database', ...OWN_FILES]

/** Attempts, because blobs may be deleted while they are copied. */
const TRIES = 3
/** Share of the progress for reading the database; storing the copy is the rest. */
const READ_PERCENT = 50

export interface Copy {
  readonly snapshotId: string
  /** Total size of the copy. */
  readonly sizeBytes: number
  /** Size of what it added to the repository, compressed. */
  readonly storedBytes: number
}

export interface CopyOptions {
  readonly places: Services['places']
  readonly repository: Repository
  readonly backupId: string
  readonly media: boolean
  /** Whether the place has backups already, in which case it must not be empty. */
  readonly isKnown: boolean
  /** A connection of its own. */
  readonly client: pg.Client
  readonly caFile: string | undefined
  readonly signal: AbortSignal
  readonly onProgress: (percent: number, detail: string) => void
}

const Summary = z.object({
  message_type: z.literal('summary'),
  snapshot_id: z.string().regex(/^[0-9a-f]{8,64}$/),
  total_bytes_processed: z.number(),
  data_added: z.number(),
})
const Status = z.object({ message_type: z.literal('status'), percent_done: z.number() })

/**
 * Copies the panel into a repository: the database as of one snapshot, keys and certificates, blobs
 * and media. It can be repeated at any time; what earlier copies contain is not stored again.
 * @throws {CopyRefused}
 */
export async function makeCopy(options: CopyOptions): Promise<Copy> {
  const state = path.join(options.places.dataFolder, STATE_FOLDER)
  try {
    for (let attempt = 1; ; attempt++) {
      const manifest = await prepareState(state, options)
      const copy = await store(state, manifest, options)
      const missing = await missingBlobs(options.places.blobs, manifest.database.blobs)
      const kept = await stillKept(options.client, missing)
      // A referenced blob without a file was lost earlier; that must not prevent all further backups.
      if (kept.length === missing.length) return copy
      await discard(runnerOf(options), copy.snapshotId)
      if (attempt === TRIES)
        throw new CopyRefused('conflict', 'Files were deleted all the time during the backup')
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOSPC' || code === 'EDQUOT')
      throw new CopyRefused(
        'storage_full',
        `There is no room for a copy of the database in ${options.places.dataFolder}: free some`,
        { cause: error },
      )
    throw error
  } finally {
    await rm(state, { recursive: true, force: true })
  }
}

async function prepareState(state: string, options: CopyOptions): Promise<Manifest> {
  const { places, client, signal, backupId, onProgress, media } = options
  await emptyFolder(state)
  const files = await copyOwnFiles(places, state)
  const database = await dumpDatabase(client, state, {
    signal,
    onProgress: (part) => onProgress(Math.floor(part * READ_PERCENT), 'Reading the database'),
  })
  const manifest: Manifest = {
    format: FORMAT,
    backupId,
    createdAt: new Date().toISOString(),
    database,
    files,
    blobs: await there(places.blobs),
    media: media ? await there(places.media) : null,
    variables: places.variables
      .filter(({ isGiven }) => isGiven)
      .map(({ name, value }) => ({ name, value })),
  }
  await writeFile(path.join(state, 'manifest.json'), JSON.stringify(Manifest.parse(manifest)), {
    mode: 0o600,
    flush: true,
  })
  return manifest
}

/** The real path: restic would store a symbolic link as such. */
const there = async (folder: string | null): Promise<string | null> =>
  folder === null ? null : ((await realpath(folder).catch(unlessGone)) ?? null)

async function store(
  state: string,
  { blobs, media }: Pick<Manifest, 'blobs' | 'media'>,
  options: CopyOptions,
): Promise<Copy> {
  const { backupId, onProgress } = options
  const run = runnerOf(options)
  await makeRepository(run, options)
  const folders = [state, blobs, media]
  let summary: z.infer<typeof Summary> | undefined
  const ended = await run(
    [
      ...['backup', '--host', 'lodge', '--tag', PANEL_TAG, '--tag', backupId],
      ...['--exclude', 'arriving', ...folders.filter((folder) => folder !== null)],
    ],
    (line) => {
      const said = jsonOf(line)
      const status = Status.safeParse(said)
      const part = status.success ? status.data.percent_done : 0
      if (status.success)
        onProgress(READ_PERCENT + Math.floor(part * (99 - READ_PERCENT)), 'Storing the copy')
      summary = Summary.safeParse(said).data ?? summary
    },
  )
  // Exit code 3: some files could not be read. The caller looks for those that are gone, such as
  // deleted blobs.
  if ((ended.code !== 0 && ended.code !== 3) || !summary) throw failureOf(ended)
  const unread = ended.complaints.map((line) => unreadFile(jsonOf(line)))
  const closed = unread.find((one) => one?.isGone === false)
  if (closed) {
    await discard(run, summary.snapshot_id)
    throw new CopyRefused(
      'storage_unavailable',
      `The control plane cannot read ${closed.item}: give its account access to it`,
    )
  }
  return {
    snapshotId: summary.snapshot_id,
    sizeBytes: summary.total_bytes_processed,
    storedBytes: summary.data_added,
  }
}

type Run = (args: readonly string[], onLine?: (line: string) => void) => ReturnType<typeof restic>

const runnerOf =
  ({ repository, places, signal, caFile }: ForgetOptions): Run =>
  (args, onLine) => {
    const cacheFolder = cacheFolderOf(places.dataFolder)
    const given: ResticOptions = { signal, cacheFolder, caFile, ...(onLine && { onLine }) }
    return restic(repository, args, given)
  }

/** Removes an incomplete copy, so that nobody restores it. */
async function discard(run: Run, snapshotId: string): Promise<void> {
  const done = await run(['forget', snapshotId])
  if (done.code !== 0) throw failureOf(done)
}

async function makeRepository(
  run: Run,
  { repository: { location }, places, isKnown }: CopyOptions,
): Promise<void> {
  if (location.kind === 'folder' && isOwn(location.folder, places))
    throw new CopyRefused(
      'storage_unavailable',
      `Lodge itself uses ${location.folder}: choose another folder for the backups`,
    )
  // Where a disk is not mounted, the backup would fill up another one.
  if (location.kind === 'folder' && !existsSync(location.folder))
    throw new CopyRefused(
      'storage_unavailable',
      `There is no folder ${location.folder}: create it, or mount its disk`,
    )
  const opened = await run(['cat', 'config'])
  if (opened.code !== 0) {
    if (!isMissing(opened)) throw failureOf(opened)
    if (isKnown)
      throw new CopyRefused(
        'storage_unavailable',
        'The earlier backups are not at their place: mount its disk, or choose another place',
      )
    const made = await run(['init'])
    if (made.code !== 0) throw failureOf(made)
  }
  // Removes stale locks, not those of live processes.
  const unlocked = await run(['unlock'])
  if (unlocked.code !== 0 && location.kind === 'folder') throw failureOf(unlocked)
}

/** Whether a folder is copied with the panel, or is emptied around a copy or a restore. */
function isOwn(folder: string, { dataFolder, blobs, media }: Services['places']): boolean {
  const own = [...OWN_FOLDERS.map((name) => path.join(dataFolder, name)), blobs, media]
  return own.some((one) => one !== null && `${folder}/`.startsWith(`${one}/`))
}

export interface ForgetOptions {
  readonly places: Services['places']
  readonly repository: Repository
  readonly caFile: string | undefined
  readonly signal: AbortSignal
}

const Snapshots = z.array(z.object({ id: z.string() })).nullable()

/** Deletes copies and frees the space that only they needed. */
export async function forgetCopies(
  options: ForgetOptions,
  backupIds: readonly string[],
): Promise<void> {
  const run = runnerOf(options)
  const lines: string[] = []
  const tags = backupIds.flatMap((id) => ['--tag', `${PANEL_TAG},${id}`])
  const listed = await run(['--no-lock', 'snapshots', ...tags], (line) => lines.push(line))
  if (listed.code !== 0) throw failureOf(listed)
  const ids = (Snapshots.parse(jsonOf(lines.join(''))) ?? []).map(({ id }) => id)
  if (ids.length === 0) return
  const done = await run(['forget', ...ids, '--prune', '--max-unused', '10%'])
  if (done.code !== 0) throw failureOf(done)
}
