import { join } from 'node:path'
import type { BackupStore, OpenRepository } from '@lodge/driver/backup-store.ts'
import { DriverError } from '@lodge/driver/driver.ts'
import { jsonOf } from '@lodge/shared/local/restic-output.ts'
import { z } from 'zod'
import { findProgram } from '../find-program.ts'
import { archiveOf } from './archive.ts'
import { copyFolder, ignoredIn, SPARSE } from './copy-folder.ts'
import { digHoles } from './holes.ts'
import { listFolder, sizeOf } from './list-folder.ts'
import { Locks } from './locks.ts'
import { Readers } from './readers.ts'
import { backupRecords } from './records.ts'
import { escaped, failureOf, inData, isMissing, resticIn, unlock } from './restic.ts'

const Snapshots = z
  .array(z.object({ id: z.string(), tags: z.array(z.string()).optional() }))
  .nullable()

/**
 * Backups by restic in format 2: content-defined chunks that are stored once, compressed, encrypted
 * and authenticated. The folder of a server is the tree `/data` of its snapshot, and the snapshot's
 * tag is the id of the backup. Only this agent writes to a repository, so a lock that is not in its
 * own memory is one that a killed process left behind.
 * @param caFile authorities of private storages, beside those of the system
 */
export async function resticStore(root: string, caFile?: string): Promise<BackupStore> {
  const program = await findProgram('restic')
  const restic = resticIn({ root, program: program ?? '/usr/bin/restic', caFile })
  const locks = new Locks()
  /** Archives that are being sent, by repository. */
  const reading = new Readers()
  const records = backupRecords(join(root, 'records'))

  async function snapshots(
    repository: OpenRepository,
    which: readonly string[],
    signal: AbortSignal,
  ): Promise<NonNullable<z.infer<typeof Snapshots>>> {
    const lines: string[] = []
    const done = await restic.run(repository, ['--no-lock', 'snapshots', ...which], {
      signal,
      onLine: (line) => lines.push(line),
    })
    if (done.code !== 0) {
      if (isMissing(done)) return []
      throw failureOf(done)
    }
    const found = Snapshots.safeParse(jsonOf(lines.join('')))
    if (!found.success) throw failureOf({ code: 1, output: done.output })
    return found.data ?? []
  }

  async function tagged(
    repository: OpenRepository,
    ids: readonly string[],
    signal: AbortSignal,
  ): Promise<string[]> {
    const tags = ids.flatMap((id) => ['--tag', id])
    return (await snapshots(repository, tags, signal)).map(({ id }) => id)
  }

  return {
    complaint: whyNoRestic,
    create: ({ takenWhileRunning, ...copied }, onProgress, signal) =>
      locks.during(copied.repository.id, false, async () => {
        const known = await records.of(copied.backupId)
        if (known) return known
        // A snapshot of an earlier attempt is not taken for it: restic also keeps one without the
        // files that it could not read, and the agent may have been killed before it said so. Both
        // are forgotten by their tag, and what they have in common is stored once.
        const copy = await copyFolder(restic, copied, onProgress, signal)
        const made = { ...copy, takenWhileRunning: takenWhileRunning() }
        await records.keep(copied.backupId, made)
        return made
      }),
    restore: ({ repository, snapshotId, folder, paths }, onProgress, signal) =>
      locks.during(repository.id, false, async () => {
        onProgress({ step: 'copy', percent: null, detail: 'Reading the backup' })
        const only = paths?.flatMap((path) => ['--include', escaped(inData(path))]) ?? []
        const done = await restic.run(
          repository,
          ['--no-lock', 'restore', snapshotId, '--target', '/', '--verify', ...only],
          {
            signal,
            data: { folder, writable: true },
            rights: ['CHOWN', 'DAC_OVERRIDE', 'DAC_READ_SEARCH', 'FOWNER', 'FSETID'],
          },
        )
        // It counts what it could not restore, and the exit code does not always tell.
        if (done.code !== 0 || /There were \d+ errors|Fatal:|ignoring error/.test(done.output))
          throw failureOf(done)
        const [snapshot] = await snapshots(repository, [snapshotId], signal)
        const tags = snapshot?.tags ?? []
        if (tags.includes(SPARSE)) await digHoles(folder, signal)
        return ignoredIn(tags)
      }),
    sizeOf: ({ repository, snapshotId, paths }, signal) =>
      locks.during(repository.id, false, () =>
        sizeOf(restic, { repository, snapshotId, paths: paths.map(inData) }, signal),
      ),
    list: ({ repository, snapshotId, path }, signal) =>
      locks.during(repository.id, false, () =>
        listFolder(restic, { repository, snapshotId, path: inData(path) }, signal),
      ),
    archive: ({ repository, snapshotId, path, format }, signal) =>
      locks.during(repository.id, false, async () => {
        const given = { repository, snapshotId, path: inData(path), format }
        // `dump` leaves out folders whose list of files is damaged, and succeeds; `ls` fails.
        await sizeOf(restic, { repository, snapshotId, paths: [given.path] }, signal)
        const archive = await archiveOf(restic, given, signal)
        reading.begin(repository.id)
        archive.once('close', () => reading.end(repository.id))
        return archive
      }),
    forget: (repository, backupIds, signal) =>
      locks.during(repository.id, true, async () => {
        const ids = await tagged(repository, backupIds, signal)
        if (ids.length > 0) {
          await unlock(restic, repository, signal)
          const done = await restic.run(repository, ['forget', ...ids], { signal })
          if (done.code !== 0) throw failureOf(done)
        }
        for (const id of backupIds) await records.forget(id)
      }),
    prune: (repository, onProgress, signal) =>
      locks.during(repository.id, true, async () => {
        // Its reader may be slow for hours: neither waits for the other.
        if (reading.has(repository.id))
          throw new DriverError('runtime_unavailable', 'A backup is being downloaded.', {
            retryable: true,
          })
        onProgress({ step: 'copy', percent: null, detail: 'Freeing what no backup needs' })
        await unlock(restic, repository, signal)
        const done = await restic.run(repository, ['prune', '--max-unused', '5%'], { signal })
        if (done.code !== 0 && !isMissing(done)) throw failureOf(done)
      }),
  }
}

/** Why this node can make no backups; null if it can. */
export async function whyNoRestic(): Promise<string | null> {
  if (!(await findProgram('restic'))) return 'restic is not installed'
  if (!(await findProgram('bwrap'))) return 'bubblewrap is not installed'
  return process.getuid?.() === 0 ? null : 'the agent does not run as root'
}
