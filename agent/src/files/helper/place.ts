import { closeSync, lstatSync, mkdirSync } from 'node:fs'
import { errorCode } from '@lodge/shared/error-code.ts'
import type { FileRight } from '@lodge/shared/files.ts'
import { FileRefusal } from '../refusal.ts'
import type { Access } from './access.ts'
import { O_PATH } from './system.ts'
import { at, FOLDER, folderOf, join, nameOf, type Tree, using } from './tree.ts'

/** Where something is or will be: an open folder and a name in it. */
export interface Place {
  readonly folder: number
  readonly name: string
  /** Where it really is within the server. */
  readonly path: string
  /** For system calls that do not follow the name itself. */
  readonly at: string
}

export interface Asker {
  readonly tree: Tree
  readonly access: Access
}

export function placeIn(folder: number, name: string, folderPath: string): Place {
  return { folder, name, path: join(folderPath, name), at: at(folder, name) }
}

/**
 * Gives the place of a path to the work: links in the folders above are followed, the name itself
 * is not. The rules are checked for the path as asked and as it really is.
 */
export function inPlace<T>(
  { tree, access }: Asker,
  path: string,
  right: FileRight,
  work: (place: Place) => T,
): T {
  access.require(path, right)
  if (path === '/')
    throw new FileRefusal('invalid_path', 'This is the folder of the server itself.')
  return using(tree.open(folderOf(path), FOLDER), (folder) => {
    const place = placeIn(folder, nameOf(path), tree.pathOf(folder))
    access.require(place.path, right)
    return work(place)
  })
}

/**
 * The same for something that is written: a link at the path itself is followed too, so that the
 * file behind it changes. `make` makes missing folders above.
 */
export function inPlaceToWrite<T>(
  asker: Asker,
  path: string,
  make: boolean,
  work: (place: Place) => T,
): T {
  const { tree, access } = asker
  access.require(path, 'write')
  let real = path
  try {
    real = using(tree.open(path, O_PATH), (fd) => tree.pathOf(fd))
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
    if (make) makeFolder(asker, folderOf(path))
  }
  return inPlace(asker, real, 'write', (place) => {
    if (real === path && isLink(place.at))
      throw new FileRefusal('file_not_found', `${path} is a link that leads nowhere.`)
    return work(place)
  })
}

/** Makes a folder and those above it; does nothing to one that exists. */
export function makeFolder(asker: Asker, path: string): void {
  const { tree, access } = asker
  try {
    closeSync(tree.open(path, FOLDER))
    return
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
  access.require(path, 'write')
  makeFolder(asker, folderOf(path))
  inPlace(asker, path, 'write', (place) => {
    try {
      mkdirSync(place.at, { mode: 0o755 })
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error
      // Made by somebody else meanwhile, or not a folder.
      closeSync(tree.open(path, FOLDER))
    }
  })
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
}
