import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  ftruncateSync,
  futimesSync,
  linkSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
} from 'node:fs'
import { errorCode } from '@lodge/shared/error-code.ts'
import { FileRefusal } from '../refusal.ts'
import type { Quota } from './quota.ts'
import { openBeneath } from './system.ts'
import { at, FOLDER, openIn, using } from './tree.ts'
import { writeAll } from './write.ts'

const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL
const BLOCK = 4096

export interface Looks {
  readonly mode: number
  readonly modifiedSeconds: number
}

/**
 * Builds a tree in an open folder. Nothing is ever reached through a link, not even one of the tree
 * itself: links are made last, and folders get their permissions and times after that.
 */
export class Builder {
  readonly #root: number
  readonly #quota: Quota
  readonly #folders = new Map<string, Looks>()
  readonly #links: { names: readonly string[]; target: string; looks: Looks }[] = []
  #last: { readonly path: string; readonly fd: number } | undefined

  constructor(root: number, quota: Quota) {
    this.#root = root
    this.#quota = quota
  }

  folder(names: readonly string[], looks: Looks): void {
    this.#open(names)
    this.#folders.set(names.join('/'), looks)
  }

  /** Returns the bytes written. Zeros become holes. */
  async file(
    names: readonly string[],
    content: AsyncIterable<Uint8Array>,
    looks: Looks,
  ): Promise<number> {
    const fd = this.#create(names)
    return await using(fd, async () => {
      let position = 0
      let hole = false
      for await (const piece of content) {
        hole = isZero(piece)
        if (!hole) {
          this.#quota.take(piece.byteLength)
          await writeAll(fd, piece, position)
        }
        position += piece.byteLength
      }
      if (hole) ftruncateSync(fd, position)
      fchmodSync(fd, looks.mode)
      futimesSync(fd, looks.modifiedSeconds, looks.modifiedSeconds)
      return position
    })
  }

  link(names: readonly string[], target: string, looks: Looks): void {
    this.#open(names.slice(0, -1))
    this.#links.push({ names, target, looks })
  }

  /** A further name for a file of the tree. */
  hardLink(names: readonly string[], to: readonly string[]): void {
    using(openBeneath(this.#root, folderText(to), FOLDER, 'refused'), (source) => {
      const from = at(source, lastOf(to))
      if (!lstatSync(from).isFile())
        throw new FileRefusal('invalid_archive', 'A hard link leads to something else than a file.')
      this.#replacing(names, (target) => linkSync(from, target))
    })
  }

  finish(): void {
    for (const { names, target, looks } of this.#links) {
      this.#replacing(names, (path) => symlinkSync(target, path))
      const folder = this.#open(names.slice(0, -1))
      lutimesSync(at(folder, lastOf(names)), looks.modifiedSeconds, looks.modifiedSeconds)
    }
    this.close()
    // The deepest first: a folder that is closed afterwards need not be entered again.
    const deepest = [...this.#folders].sort(([one], [two]) => two.length - one.length)
    for (const [path, looks] of deepest) {
      if (path === '') continue
      using(openBeneath(this.#root, path, FOLDER, 'refused'), (fd) => {
        utimesSync(`/proc/self/fd/${fd}`, looks.modifiedSeconds, looks.modifiedSeconds)
        chmodSync(`/proc/self/fd/${fd}`, looks.mode)
      })
    }
  }

  close(): void {
    if (this.#last) closeSync(this.#last.fd)
    this.#last = undefined
  }

  #create(names: readonly string[]): number {
    const folder = this.#open(names.slice(0, -1))
    const name = lastOf(names)
    try {
      return openIn(folder, name, NEW_FILE, 0o600)
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error
      // The same name twice in one archive: the later one counts.
      unlinkSync(at(folder, name))
      return openIn(folder, name, NEW_FILE, 0o600)
    }
  }

  #replacing(names: readonly string[], make: (path: string) => void): void {
    const path = at(this.#open(names.slice(0, -1)), lastOf(names))
    try {
      make(path)
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error
      unlinkSync(path)
      make(path)
    }
  }

  /** A folder of the tree, made if it is missing. Stays open until the next one is asked for. */
  #open(names: readonly string[]): number {
    const path = names.join('/')
    if (this.#last?.path === path) return this.#last.fd
    const fd = this.#make(names)
    this.close()
    this.#last = { path, fd }
    return fd
  }

  #make(names: readonly string[]): number {
    const path = names.join('/') || '.'
    try {
      return openBeneath(this.#root, path, FOLDER, 'refused')
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error
    }
    return using(this.#make(names.slice(0, -1)), (parent) => {
      mkdirSync(at(parent, lastOf(names)), { mode: 0o755 })
      return openIn(parent, lastOf(names), FOLDER)
    })
  }
}

const lastOf = (names: readonly string[]) => names.at(-1) ?? ''
const folderText = (names: readonly string[]) => names.slice(0, -1).join('/') || '.'

const ZEROS = Buffer.alloc(BLOCK)

/** Whether a piece of whole blocks has nothing but zeros. */
function isZero(piece: Uint8Array): boolean {
  if (piece.byteLength < BLOCK) return false
  for (let from = 0; from < piece.byteLength; from += BLOCK) {
    const block = piece.subarray(from, from + BLOCK)
    if (ZEROS.compare(block, 0, block.byteLength, 0, block.byteLength) !== 0) return false
  }
  return true
}
