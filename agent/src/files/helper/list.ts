import { type Dirent, fstatSync, lstatSync, readdirSync } from 'node:fs'
import { type Entry, type FileList, HIDDEN_FOLDER, MAX_LIST } from '@lodge/shared/files.ts'
import { FileRefusal } from '../refusal.ts'
import { entryAt, entryOf } from './entry.ts'
import { type Asker, placeIn } from './place.ts'
import { FOLDER, folderOf, join, nameOf, rawAt, using } from './tree.ts'

/** The names in an open folder, as bytes: a name may be no text. */
export const namesIn = (folder: number): Dirent<Buffer>[] =>
  readdirSync(`/proc/self/fd/${folder}`, { withFileTypes: true, encoding: 'buffer' })

interface ShownName {
  readonly name: Buffer
  readonly text: string
  readonly isFolder: boolean
}

/**
 * The names in an open folder that whoever asks may see.
 * @param path under which it was opened
 */
export function shownIn({ tree, access }: Asker, folder: number, path: string): ShownName[] {
  const real = tree.pathOf(folder)
  access.requireList(real)
  const shown = (name: string) =>
    [join(path, name), join(real, name)].every((one) => access.sees(one) || access.leads(one))
  return namesIn(folder).flatMap((found) => {
    const text = found.name.toString()
    if (real === '/' && text === HIDDEN_FOLDER) return []
    return shown(text) ? [{ name: found.name, text, isFolder: found.isDirectory() }] : []
  })
}

interface Listed {
  readonly name: Buffer
  readonly text: string
  /** What the order goes by, as bytes; also where the next page begins. */
  readonly key: Buffer
}

/** One page of a folder: folders first, then by name, without regard to case. */
export function list(asker: Asker, path: string, after: string | null, limit: number): FileList {
  const { tree, access } = asker
  access.requireList(path)
  return using(tree.open(path, FOLDER), (folder) => {
    const all: Listed[] = []
    const begin = after === null ? null : Buffer.from(after)
    for (const { name, text, isFolder } of shownIn(asker, folder, path)) {
      // The API takes no NUL character, so the one that sorts next to it.
      const key = Buffer.from(`${isFolder ? 0 : 1}${text.toLowerCase()}\u0001${text}`)
      if (!begin || Buffer.compare(key, begin) > 0) all.push({ name, text, key })
    }
    const real = tree.pathOf(folder)
    // Bytes have no relation to any language, so that every page agrees on the order.
    all.sort((one, two) => Buffer.compare(one.key, two.key))
    const page = all.slice(0, Math.min(limit, MAX_LIST))
    return {
      folder: entryOf(path, fstatSync(folder, { bigint: true })),
      items: page.flatMap(({ name, text }) => entryFor(asker, folder, real, path, name, text)),
      nextAfter: page.length < all.length ? (page.at(-1)?.key.toString() ?? null) : null,
    }
  })
}

function entryFor(
  asker: Asker,
  folder: number,
  real: string,
  path: string,
  name: Buffer,
  text: string,
): Entry[] {
  if (Buffer.from(text).equals(name)) {
    const entry = entryAt(asker, placeIn(folder, text, real), join(path, text))
    return entry ? [entry] : []
  }
  const at = rawAt(folder, name)
  const stats = lstatSync(at, { bigint: true, throwIfNoEntry: false })
  return stats ? [entryOf(join(path, text), stats)] : []
}

export function stat(asker: Asker, path: string): Entry {
  const { tree, access } = asker
  access.requireList(path)
  if (path === '/') {
    return using(tree.open('/', FOLDER), (fd) => entryOf('/', fstatSync(fd, { bigint: true })))
  }
  return using(tree.open(folderOf(path), FOLDER), (folder) => {
    const place = placeIn(folder, nameOf(path), tree.pathOf(folder))
    access.requireList(place.path)
    const entry = entryAt(asker, place, path)
    if (!entry) throw new FileRefusal('file_not_found', `There is nothing at ${path}.`)
    return entry
  })
}
