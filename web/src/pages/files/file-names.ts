/** Absolute paths within a server, as the API expects them. */

export const joined = (folder: string, name: string): string =>
  folder === '/' ? `/${name}` : `${folder}/${name}`

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

export const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/'

/** The folders from the root down to this one, itself included. */
export function foldersTo(path: string): readonly string[] {
  const parts = path.split('/').filter((part) => part !== '')
  return ['/', ...parts.map((_, at) => `/${parts.slice(0, at + 1).join('/')}`)]
}

/** Whether a path is this folder or lies in it. */
export const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)

/** A typed path, resolved relative to a folder, without `.`, `..` and double slashes. */
export function resolved(folder: string, typed: string): string {
  const steps = typed.startsWith('/') ? [] : folder.split('/')
  for (const part of typed.split('/')) {
    if (part === '..') steps.pop()
    else if (part !== '.') steps.push(part)
  }
  return `/${steps.filter((step) => step !== '').join('/')}`
}

/** Double extensions. */
const DOUBLE = /\.tar\.[a-z0-9]+$/i

/** Splits a name before its extension: `world.tar.gz` is `world` and `.tar.gz`. */
export function splitName(name: string): readonly [stem: string, ending: string] {
  const double = DOUBLE.exec(name)?.index
  const at = double ?? name.lastIndexOf('.')
  return at <= 0 ? [name, ''] : [name.slice(0, at), name.slice(at)]
}

/** The same name with a number, or with the next one: `a.txt`, `a (1).txt`, `a (2).txt`. */
export function numbered(path: string): string {
  const [stem, ending] = splitName(nameOf(path))
  const had = / \((\d{1,6})\)$/.exec(stem)
  const bare = had ? stem.slice(0, had.index) : stem
  return joined(folderOf(path), `${bare} (${Number(had?.[1] ?? 0) + 1})${ending}`)
}

const CONTROL = /[\0/]/
const MOST_BYTES = 255

/** Whether a file can have this name. */
export const isName = (name: string): boolean =>
  name !== '' &&
  name !== '.' &&
  name !== '..' &&
  !CONTROL.test(name) &&
  new TextEncoder().encode(name).length <= MOST_BYTES
