import type { BackupStore } from '@lodge/driver/backup-store.ts'
import { DriverError, type OnProgress } from '@lodge/driver/driver.ts'
import type { MadeBackup } from '@lodge/shared/backup-work.ts'
import { HIDDEN_FOLDER } from '@lodge/shared/files.ts'
import { IgnoreList, ignoredInRestic } from '@lodge/shared/ignored-files.ts'
import { jsonOf, unreadFile } from '@lodge/shared/local/restic-output.ts'
import { z } from 'zod'
import { hasHoles } from './holes.ts'
import { DATA, failureOf, isMissing, type Restic } from './restic.ts'

type Given = Omit<Parameters<BackupStore['create']>[0], 'takenWhileRunning'>
type Made = Omit<MadeBackup, 'takenWhileRunning'>

const Line = z.discriminatedUnion('message_type', [
  z.object({
    message_type: z.literal('status'),
    percent_done: z.number(),
    bytes_done: z.number().default(0),
    total_bytes: z.number().default(0),
  }),
  z.object({
    message_type: z.literal('summary'),
    data_added: z.int(),
    total_files_processed: z.int(),
    total_bytes_processed: z.int(),
    snapshot_id: z.string(),
  }),
])
type Summary = Extract<z.infer<typeof Line>, { message_type: 'summary' }>

/** The tag of a backup whose files have large holes, which its restore makes again. */
export const SPARSE = 'sparse'

/** The tag that says what a backup leaves out, so that whoever restores it knows. */
const IGNORED = 'ignored-'
const ignoredTag = (patterns: readonly string[]): string[] =>
  patterns.length === 0
    ? []
    : [`${IGNORED}${Buffer.from(JSON.stringify(patterns)).toString('base64url')}`]

/** What a backup with these tags leaves out. */
export function ignoredIn(tags: readonly string[]): IgnoreList {
  const tag = tags.find((one) => one.startsWith(IGNORED))
  if (tag === undefined) return []
  const text = Buffer.from(tag.slice(IGNORED.length), 'base64url').toString()
  return IgnoreList.parse(JSON.parse(text))
}

/** Exit code of restic for a backup without the files that could not be read. */
const INCOMPLETE = 3

/** Backs up a folder; creates the repository at the first backup. */
export async function copyFolder(
  restic: Restic,
  given: Given,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<Made> {
  const sparse = (await hasHoles(given.folder, signal)) ? [SPARSE] : []
  const tags = [...sparse, ...ignoredTag(given.ignored ?? [])]
  const first = await attempt(restic, given, tags, onProgress, signal)
  if (!isMissing(first)) return first.made()
  await restic.create(given.repository, signal)
  return (await attempt(restic, given, tags, onProgress, signal)).made()
}

async function attempt(
  restic: Restic,
  { repository, backupId, folder, changing, ignored = [] }: Given,
  tags: readonly string[],
  onProgress: OnProgress,
  signal: AbortSignal,
) {
  let summary: Summary | undefined
  const unread: { item: string; isGone: boolean }[] = []
  const done = await restic.run(
    repository,
    [
      ...['backup', DATA, '--host', 'lodge', '--exclude', `${DATA}/${HIDDEN_FOLDER}`],
      ...ignoredInRestic(ignored, DATA).flatMap((pattern) => ['--exclude', pattern]),
      ...[backupId, ...tags].flatMap((tag) => ['--tag', tag]),
    ],
    {
      signal,
      data: { folder },
      rights: ['DAC_READ_SEARCH'],
      onLine(text) {
        const said = jsonOf(text)
        const missed = unreadFile(said)
        if (missed) unread.push(missed)
        const { data: line } = Line.safeParse(said)
        if (line?.message_type === 'summary') summary = line
        if (line?.message_type !== 'status') return
        onProgress({
          step: 'copy',
          percent: line.total_bytes > 0 ? Math.min(99, line.percent_done * 100) : null,
          detail: 'Reading the files',
          bytes: { done: line.bytes_done, total: line.total_bytes || null },
        })
      },
    },
  )
  return {
    ...done,
    made(): Made {
      const missed = unread.find(({ isGone }) => !(isGone && changing))
      const whole = done.code === 0 || (done.code === INCOMPLETE && !missed && unread.length > 0)
      if (!whole && missed) throw unreadable(missed.item)
      if (!whole || !summary) throw failureOf(done)
      return {
        snapshotId: summary.snapshot_id,
        sizeBytes: summary.total_bytes_processed,
        storedBytes: summary.data_added,
        fileCount: summary.total_files_processed,
      }
    },
  }
}

const unreadable = (item: string) =>
  new DriverError(
    'copy_damaged',
    `The file ${item.slice(DATA.length, 200) || '/'} could not be read, so there is no whole backup.`,
  )
