import { chmodSync, fstatSync, lstatSync, renameSync } from 'node:fs'
import { type Entry, type FileDo, MAX_COPY_BYTES } from '@lodge/shared/files.ts'
import { FileRefusal } from '../refusal.ts'
import { openContent } from './content.ts'
import { stat } from './list.ts'
import { pieces } from './pieces.ts'
import { type Asker, inPlace, makeFolder } from './place.ts'
import type { Quota } from './quota.ts'
import { O_PATH, renameWithoutReplacing } from './system.ts'
import { deletePaths, requireWholeAt } from './trash.ts'
import { folderOf, using } from './tree.ts'
import { writeFile } from './write.ts'

/** Work that is done within seconds. Returns the entries as they are then. */
export async function doSmall(asker: Asker, quota: Quota, work: FileDo): Promise<Entry[]> {
  switch (work.do) {
    case 'mkdir':
      makeFolder(asker, work.path)
      return [stat(asker, work.path)]
    case 'rename':
      return rename(asker, work.moves, work.replace)
    case 'chmod':
      for (const path of work.paths) chmod(asker, path, Number.parseInt(work.mode, 8) & 0o777)
      return work.paths.map((path) => stat(asker, path))
    case 'delete':
      await deletePaths(asker, quota, work.paths)
      return []
    case 'copy':
      return [await copy(asker, quota, work.from, work.to, work.replace)]
  }
}

interface Move {
  readonly from: string
  readonly to: string
}

function rename(asker: Asker, moves: readonly Move[], replace: boolean): Entry[] {
  for (const move of moves) checkMove(asker, move, replace)
  for (const move of moves) {
    makeFolder(asker, folderOf(move.to))
    moveInto(asker, move, replace)
  }
  return moves.map(({ to }) => stat(asker, to))
}

/** Refuses what is known to fail before anything has moved. */
export function checkMove(asker: Asker, { from, to }: Move, replace: boolean): void {
  inPlace(asker, from, 'write', (place) => requireWholeAt(asker, place, from))
  asker.access.require(to, 'write')
  if (to === from || to.startsWith(`${from}/`))
    throw new FileRefusal('invalid_path', `${from} cannot be moved into itself.`)
  if (!replace && exists(asker, to))
    throw new FileRefusal('file_exists', `There is already something at ${to}.`)
}

function exists({ tree }: Asker, path: string): boolean {
  try {
    return using(tree.open(folderOf(path), O_PATH), (folder) => {
      const name = path.slice(path.lastIndexOf('/') + 1)
      return lstatSync(`/proc/self/fd/${folder}/${name}`, { throwIfNoEntry: false }) !== undefined
    })
  } catch {
    return false
  }
}

/** Moves one entry in one step. */
export function moveInto(asker: Asker, { from, to }: Move, replace: boolean): void {
  const { access } = asker
  inPlace(asker, from, 'write', (source) =>
    inPlace(asker, to, 'write', (target) => {
      requireWholeAt(asker, source, from)
      if (lstatSync(source.at).isDirectory()) {
        access.requireWhole(to)
        access.requireWhole(target.path)
      }
      if (replace) renameSync(source.at, target.at)
      else renameWithoutReplacing(source.at, target.at)
    }),
  )
}

function chmod(asker: Asker, path: string, mode: number): void {
  const { tree, access } = asker
  access.require(path, 'write')
  using(tree.open(path, O_PATH), (fd) => {
    access.require(tree.pathOf(fd), 'write')
    const stats = fstatSync(fd)
    if (!stats.isFile() && !stats.isDirectory())
      throw new FileRefusal('file_forbidden', `${path} is neither a file nor a folder.`)
    chmodSync(`/proc/self/fd/${fd}`, mode)
  })
}

async function copy(
  asker: Asker,
  quota: Quota,
  from: string,
  to: string,
  replace: boolean,
): Promise<Entry> {
  const source = openContent(asker, from)
  try {
    const { size, mode } = source.stats
    if (size > MAX_COPY_BYTES)
      throw new FileRefusal('file_too_large', `${from} is too large to be copied at once.`)
    return await writeFile(asker, quota, {
      path: to,
      body: pieces(source.fd, Number(size)),
      condition: { etag: null, absent: !replace },
      mode: Number(mode) & 0o777,
      make: true,
    })
  } finally {
    source.close()
  }
}
