import {
  type BigIntStats,
  chmodSync,
  fstatSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  rmdirSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
} from 'node:fs'
import { FileRefusal } from '../../refusal.ts'
import { type Asker, inPlace, placeIn } from '../place.ts'
import type { Quota } from '../quota.ts'
import { checkMove, moveInto } from '../small-work.ts'
import { O_PATH } from '../system.ts'
import { requireWholeAt } from '../trash.ts'
import { FOLDER, folderOf, nameOf, using } from '../tree.ts'
import type { WantedAttributes } from './attributes.ts'

/** What is there, without following a link at the path itself. */
export function lookAt({ tree, access }: Asker, path: string): BigIntStats {
  access.requireList(path)
  if (path === '/') return fstatSync(tree.fd, { bigint: true })
  return using(tree.open(folderOf(path), FOLDER), (folder) => {
    const place = placeIn(folder, nameOf(path), tree.pathOf(folder))
    access.requireList(place.path)
    return lstatSync(place.at, { bigint: true })
  })
}

/** What is where the path leads. */
export function lookWhereItLeads({ tree, access }: Asker, path: string): BigIntStats {
  access.requireList(path)
  return using(tree.open(path, O_PATH), (fd) => {
    access.requireList(tree.pathOf(fd))
    return fstatSync(fd, { bigint: true })
  })
}

export const lookAtOpen = (fd: number): BigIntStats => fstatSync(fd, { bigint: true })

/** @throws FileRefusal when what is open may not be changed */
export function change(
  { tree, access }: Asker,
  quota: Quota,
  fd: number,
  wanted: WantedAttributes,
): void {
  access.require(tree.pathOf(fd), 'write')
  const stats = fstatSync(fd)
  if (!stats.isFile() && !stats.isDirectory())
    throw new FileRefusal('file_forbidden', 'This is neither a file nor a folder.')
  const { sizeBytes, owner, mode, times } = wanted
  if (owner && (owner.uid !== stats.uid || owner.gid !== stats.gid))
    throw new FileRefusal('file_forbidden', 'The files of a server belong to the server.')
  // By the descriptor, whatever it was opened for.
  const own = `/proc/self/fd/${fd}`
  if (sizeBytes !== undefined && sizeBytes !== stats.size) {
    quota.take(sizeBytes - stats.size)
    truncateSync(own, sizeBytes)
  }
  if (mode !== undefined) chmodSync(own, mode)
  if (times) utimesSync(own, times.accessed, times.modified)
}

export function changeAt(asker: Asker, quota: Quota, path: string, wanted: WantedAttributes): void {
  asker.access.require(path, 'write')
  using(asker.tree.open(path, O_PATH), (fd) => change(asker, quota, fd, wanted))
}

export function removeFile(asker: Asker, quota: Quota, path: string): void {
  inPlace(asker, path, 'delete', (place) => {
    const stats = lstatSync(place.at)
    if (stats.isDirectory()) throw new FileRefusal('is_a_folder', 'This is a folder, not a file.')
    unlinkSync(place.at)
    if (stats.isFile() && stats.nlink === 1) quota.take(-stats.size)
  })
}

export function removeFolder(asker: Asker, path: string): void {
  inPlace(asker, path, 'delete', (place) => {
    requireWholeAt(asker, place, path)
    rmdirSync(place.at)
  })
}

export function makeFolderAt(asker: Asker, path: string, mode = 0o755): void {
  inPlace(asker, path, 'write', (place) => mkdirSync(place.at, { mode }))
}

export function move(asker: Asker, from: string, to: string, replace: boolean): void {
  checkMove(asker, { from, to }, replace)
  moveInto(asker, { from, to }, replace)
}

export const readLink = (asker: Asker, path: string): Buffer =>
  inPlace(asker, path, 'read', (place) => readlinkSync(place.at, { encoding: 'buffer' }))

/** The target may be anything: it is judged when somebody follows the link. */
export function makeLink(asker: Asker, path: string, target: string): void {
  inPlace(asker, path, 'write', (place) => symlinkSync(target, place.at))
}

/** Another name for a file, which whoever may not change the file could change it by. */
export function makeHardLink(asker: Asker, from: string, to: string): void {
  inPlace(asker, from, 'write', (source) => {
    if (!lstatSync(source.at).isFile())
      throw new FileRefusal('file_forbidden', `${from} is not a file.`)
    inPlace(asker, to, 'write', (target) => linkSync(source.at, target.at))
  })
}
