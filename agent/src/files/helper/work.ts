import { constants, fstatSync, lstatSync } from 'node:fs'
import { errorCode } from '@lodge/shared/error-code.ts'
import { type FileRight, type FileWork, FileWorkDone, HIDDEN_FOLDER } from '@lodge/shared/files.ts'
import { z } from 'zod'
import { FileRefusal } from '../refusal.ts'
import { archive, entriesAt } from './archive.ts'
import { copyTree } from './copy-tree.ts'
import { extract } from './extract.ts'
import { merge } from './merge.ts'
import { type Asker, inPlace, inPlaceToWrite, makeFolder } from './place.ts'
import type { Quota } from './quota.ts'
import { moveAway } from './remove.ts'
import { requireWholeAt } from './trash.ts'
import { at, folderOf, nameOf, openIn, using } from './tree.ts'
import { Skipped, WorkFolder } from './work-folder.ts'
import { settle, writeStream } from './write.ts'

/** A prepared task. Once this is stored, it is carried out to its end, even after a crash. */
const Plan = z.strictObject({
  ...FileWorkDone.shape,
  /** For `delete`: identities of the files, so that newer ones with the same names are kept. */
  sources: z.array(z.string()),
})
type Plan = z.infer<typeof Plan>

/** What a helper does: a download arrives as the bytes that the agent sends. */
export type LocalWork =
  | Exclude<FileWork, { do: 'pull' }>
  | {
      readonly do: 'receive'
      readonly to: string
      readonly replace: boolean
      readonly body: AsyncIterable<Uint8Array>
    }

export interface WorkProgress {
  readonly percent: number | null
  readonly entries: number
  readonly bytes: number
}

export interface Working {
  readonly signal: AbortSignal
  readonly progress: (progress: WorkProgress) => void
}

/**
 * Does long work under the id of its task: prepares everything aside, records that this is complete,
 * and then moves it into place. With the same id again, it resumes where it was.
 */
export async function doWork(
  asker: Asker,
  quota: Quota,
  id: string,
  work: LocalWork,
  options: Working,
): Promise<FileWorkDone> {
  const folder = new WorkFolder(asker.tree, quota, id)
  const done = folder.read('done.json', FileWorkDone)
  if (done) return done
  let plan = folder.read('plan.json', Plan)
  if (!plan) {
    try {
      await folder.clear('out')
      plan = await prepare(asker, quota, folder, work, options)
      folder.write('plan.json', plan)
    } catch (error) {
      await WorkFolder.remove(asker.tree, quota, id)
      throw error
    }
  }
  const result = await carryOut(asker, quota, folder, work, plan, options)
  folder.write('done.json', result)
  await folder.clear('out')
  return result
}

async function prepare(
  asker: Asker,
  quota: Quota,
  folder: WorkFolder,
  work: LocalWork,
  options: Working,
): Promise<Plan> {
  const skipped = new Skipped()
  const plan = (entries: number, bytes: number, sources: string[] = []): Plan => {
    return { entries, bytes, skipped: skipped.list, skippedCount: skipped.count, sources }
  }
  const { signal, progress } = options
  switch (work.do) {
    case 'archive': {
      requireFree(asker, work.to, work.replace)
      const paths = present(asker, work, 'read', skipped)
      if (paths.length === 0) return plan(0, 0)
      let entries = 0
      const stream = archive(asker, {
        paths,
        format: work.format,
        signal,
        skipped: skipped.add,
        added: () => {
          entries += 1
        },
      })
      const bytes = await folder.in(['out'], (out) =>
        using(openIn(out, '0', NEW, 0o600), (fd) =>
          writeStream(fd, stream, 0, quota, {
            onBytes: (total) => progress({ percent: null, entries, bytes: total }),
          }),
        ),
      )
      return plan(entries, bytes)
    }
    case 'receive': {
      requireFree(asker, work.to, work.replace)
      const bytes = await folder.in(['out'], (out) =>
        using(openIn(out, '0', NEW, 0o600), (fd) => writeStream(fd, work.body, 0, quota)),
      )
      return plan(1, bytes)
    }
    case 'extract': {
      asker.access.require(work.path, 'read')
      asker.access.require(work.to, 'write')
      const progressed = { percent: 0 }
      const { entries, bytes } = await using(
        asker.tree.open(work.path, constants.O_RDONLY),
        (fd) => {
          asker.access.require(asker.tree.pathOf(fd), 'read')
          if (!fstatSync(fd).isFile())
            throw new FileRefusal('invalid_archive', 'This is not a file.')
          return folder.in(['out', '0'], (out) =>
            extract(fd, out, quota, {
              to: work.to.split('/').filter((part) => part !== ''),
              signal,
              skipped: skipped.add,
              progress: (part) => {
                progressed.percent = part * 95
                progress({ percent: progressed.percent, entries: 0, bytes: 0 })
              },
            }),
          )
        },
      )
      return plan(entries, bytes)
    }
    case 'copy': {
      for (const { to } of work.moves) requireFree(asker, to, work.replace)
      let [entries, bytes] = [0, 0]
      for (const [index, { from, to }] of work.moves.entries()) {
        if (`${to}/`.startsWith(`${from}/`))
          throw new FileRefusal('invalid_path', `${from} cannot be copied into itself.`)
        const copied = (size: number) => {
          bytes += size
          progress({ percent: null, entries, bytes })
        }
        const made = await folder.in(['out'], (out) =>
          copyTree(asker, from, { folder: out, name: `${index}` }, quota, {
            signal,
            skipped: skipped.add,
            copied,
          }),
        )
        entries += made.entries
      }
      return plan(entries, bytes)
    }
    case 'delete': {
      let [entries, bytes] = [0, 0]
      const paths = present(asker, work, 'delete', skipped)
      for (const path of paths) {
        inPlace(asker, path, 'delete', (place) => requireWholeAt(asker, place, path))
        const all = { signal, skipped: () => {}, right: 'delete' as const }
        for await (const { stats } of entriesAt(asker, path, all)) {
          entries += 1
          bytes += stats.isFile() ? Number(stats.size) : 0
        }
      }
      return plan(
        entries,
        bytes,
        work.paths.map((path) =>
          paths.includes(path) ? inPlace(asker, path, 'delete', ({ at }) => identity(at)) : GONE,
        ),
      )
    }
  }
}

/** Stands for the identity of a path that was missing; no file has it. */
const GONE = ''

/** The paths that exist, if the task skips missing ones; otherwise all. */
function present(
  asker: Asker,
  {
    paths,
    skipMissing,
  }: { readonly paths: readonly string[]; readonly skipMissing?: boolean | undefined },
  right: FileRight,
  skipped: Skipped,
): readonly string[] {
  if (skipMissing !== true) return paths
  return paths.filter((path) => {
    if (path === '/' || isThere(asker, path, right)) return true
    skipped.add(path, 'it is not there')
    return false
  })
}

function isThere(asker: Asker, path: string, right: FileRight): boolean {
  try {
    return inPlace(
      asker,
      path,
      right,
      ({ at }) => lstatSync(at, { throwIfNoEntry: false }) !== undefined,
    )
  } catch (error) {
    // A folder above is gone, or is a file now.
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return false
    throw error
  }
}

const NEW = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL

async function carryOut(
  asker: Asker,
  quota: Quota,
  folder: WorkFolder,
  work: LocalWork,
  plan: Plan,
  { progress }: Working,
): Promise<FileWorkDone> {
  const skipped = new Skipped()
  const { sources, ...result } = plan
  switch (work.do) {
    case 'archive':
    case 'receive':
      folder.in(['out'], (out) => settleArchive(asker, out, work.to, work.replace, quota))
      break
    case 'extract':
      makeFolder(asker, work.to)
      folder.in(['out'], (out) => place(asker, out, '0', work.to, work.replace, skipped))
      break
    case 'copy':
      for (const [index, { to }] of work.moves.entries()) {
        makeFolder(asker, folderOf(to))
        folder.in(['out'], (out) => place(asker, out, `${index}`, to, work.replace, skipped))
      }
      break
    case 'delete': {
      folder.in(['trash'], (trash) => {
        for (const [index, path] of work.paths.entries()) {
          if (!isStill(asker, path, sources[index])) continue
          inPlace(asker, path, 'delete', (source) => {
            requireWholeAt(asker, source, path)
            moveAway(source.folder, source.name, at(trash, `${index}`))
          })
        }
      })
      let entries = 0
      await folder.clear('trash', () => {
        entries += 1
        const percent = Math.min(100, (entries / Math.max(1, result.entries)) * 100)
        progress({ percent, entries, bytes: 0 })
      })
    }
  }
  return {
    ...result,
    skipped: [...result.skipped, ...skipped.list].slice(0, 100),
    skippedCount: result.skippedCount + skipped.count,
  }
}

function settleArchive(
  asker: Asker,
  out: number,
  to: string,
  replace: boolean,
  quota: Quota,
): void {
  // Settled before an interruption.
  if (!lstatSync(at(out, '0'), { throwIfNoEntry: false })) return
  using(openIn(out, '0', constants.O_RDWR), (fd) =>
    inPlaceToWrite(asker, to, true, (place) => {
      const options = { absent: !replace, mode: 0o644, quota }
      settle(asker, { fd, at: at(out, '0') }, place, to, options)
    }),
  )
}

function place(
  asker: Asker,
  out: number,
  name: string,
  to: string,
  replace: boolean,
  { add: skipped }: Skipped,
): void {
  if (to !== '/') {
    inPlace(asker, to, 'write', (target) =>
      merge(asker, { folder: out, name }, target, to, { replace, skipped }),
    )
    return
  }
  const root = { folder: asker.tree.fd, name: '.', path: '/', at: at(asker.tree.fd, '.') }
  const left = (path: string, why: string) =>
    skipped(path, path === `/${HIDDEN_FOLDER}` ? 'the name is reserved' : why)
  merge(asker, { folder: out, name }, root, '/', { replace, skipped: left })
}

/** Refuses what would be refused in the end before any work is done. */
function requireFree(asker: Asker, path: string, replace: boolean): void {
  asker.access.require(path, 'write')
  if (replace) return
  try {
    inPlace(asker, path, 'write', (found) => {
      if (lstatSync(found.at, { throwIfNoEntry: false }))
        throw new FileRefusal('file_exists', `There is already something at ${nameOf(path)}.`)
    })
  } catch (error) {
    if (error instanceof FileRefusal) throw error
    // The folder above is made later.
  }
}

function identity(path: string): string {
  const { dev, ino } = lstatSync(path, { bigint: true })
  return `${dev}:${ino}`
}

function isStill(asker: Asker, path: string, source: string | undefined): boolean {
  try {
    return inPlace(asker, path, 'delete', ({ at }) => identity(at)) === source
  } catch {
    return false
  }
}
