import { closeSync, constants, fstatSync, mkdirSync, readlinkSync } from 'node:fs'
import { errorCode } from '@lodge/shared/error-code.ts'
import { HIDDEN_FOLDER } from '@lodge/shared/files.ts'
import { FileRefusal } from '../refusal.ts'
import { type Links, type Name, O_PATH, openBeneath } from './system.ts'

export const FOLDER = O_PATH | constants.O_DIRECTORY

/** The path of a name in an open folder, which no rename and no link can redirect. */
export const at = (folder: number, name: string): string => `/proc/self/fd/${folder}/${name}`
/** The same for a name that may be no text. */
export const rawAt = (folder: number, name: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`/proc/self/fd/${folder}/`), name])

export const join = (folder: string, name: string): string =>
  folder === '/' ? `/${name}` : `${folder}/${name}`
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
export const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/'

/** Whether a path is the hidden folder or in it. */
export const isHidden = (path: string): boolean =>
  path === `/${HIDDEN_FOLDER}` || path.startsWith(`/${HIDDEN_FOLDER}/`)

/** The data of one server. Every path is opened beneath its descriptor. */
export class Tree {
  readonly fd: number
  constructor(fd: number) {
    this.fd = fd
  }

  /** @param path absolute within the server. The caller closes the descriptor. */
  open(path: string, flags: number, links: Links = 'beneath', mode = 0): number {
    return openBeneath(this.fd, path === '/' ? '.' : path.slice(1), flags, links, mode)
  }

  /**
   * Where an open file or folder really is, within the server.
   * @throws FileRefusal for one that was deleted or moved out of the server meanwhile
   */
  pathOf(fd: number): string {
    const root = readlinkSync(`/proc/self/fd/${this.fd}`)
    const path = readlinkSync(`/proc/self/fd/${fd}`)
    if (path === root) return '/'
    const prefix = root === '/' ? '/' : `${root}/`
    const gone = path.endsWith(' (deleted)') && fstatSync(fd).nlink === 0
    if (!path.startsWith(prefix) || gone) {
      throw new FileRefusal('file_not_found', 'There is no such file.')
    }
    return `/${path.slice(prefix.length)}`
  }

  /** Opens a folder of the hidden folder, making what is missing. The caller closes it. */
  hidden(...names: readonly string[]): number {
    let folder = this.open('/', FOLDER)
    for (const name of [HIDDEN_FOLDER, ...names]) {
      const next = openOrMake(folder, name)
      closeSync(folder)
      folder = next
    }
    return folder
  }
}

function openOrMake(folder: number, name: string): number {
  try {
    mkdirSync(at(folder, name), { mode: 0o700 })
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') {
      closeSync(folder)
      throw error
    }
  }
  try {
    return openBeneath(folder, name, FOLDER, 'refused')
  } catch (error) {
    closeSync(folder)
    throw new FileRefusal(
      'file_forbidden',
      `"${HIDDEN_FOLDER}" is needed for changes, but is a file or a link: delete it on the server.`,
      { cause: error },
    )
  }
}

/** Opens a name in an open folder itself, never where it leads. */
export function openIn(folder: number, name: Name, flags: number, mode = 0): number {
  return openBeneath(folder, name, flags | constants.O_NOFOLLOW, 'refused', mode)
}

/** Gives the descriptor to the work and closes it afterwards. */
export function using<T>(fd: number, work: (fd: number) => T): T {
  let result: T
  try {
    result = work(fd)
  } catch (error) {
    closeSync(fd)
    throw error
  }
  if (!(result instanceof Promise)) {
    closeSync(fd)
    return result
  }
  return result.finally(() => closeSync(fd)) as T
}
