import { randomBytes } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { DriverError } from '@lodge/driver/driver.ts'
import {
  breakLocks,
  imagesIn,
  mustRbd,
  removeImages,
  removeImagesOf,
} from '@lodge/driver/storage/images.ts'
import { askRbd, RBD, rbdFailure, runRbd } from '@lodge/driver/storage/rbd.ts'
import { exists } from '@lodge/shared/local/files.ts'
import { RbdImage } from '@lodge/shared/rbd-output.ts'
import { z } from 'zod'
import { moveIntoPlace, writeWhole } from '../data/files.ts'
import type { ImagePool, MachinePaths } from '../data/layout.ts'
import type { Disks } from './disks.ts'
import { copyFromImage, copyToImage, locationOf } from './qemu-img.ts'

/** What stands in the file of a disk. */
const Note = z.object({ image: z.string().regex(/^[\w.-]+$/) })
/** A note, or one that is not in its place yet. */
const NOTE = /\.rbd(\.new)*$/
/** What a copy is made of, for as long as that takes. */
const COPYING = 'lodge'
/** A disk that was copied from a copy of a copy is read through all of them. */
const MOST_PARENTS = 6

/** The image that the file of a disk names. */
export async function imageOf(path: string): Promise<string> {
  return Note.parse(JSON.parse(await readFile(path, 'utf8'))).image
}

/**
 * Disks that are raw images in an RBD pool. An image gets a name of its own that it keeps: what changes is
 * which file names it, in one step, as of a disk that is a file. So a node that was killed leaves nothing
 * but images that no file names.
 */
export function imageDisks({ home }: Pick<MachinePaths, 'home'>, pool: ImagePool): Disks {
  const spec = (image: string) => `${pool.pool}/${image}`
  const info = async (image: string) => {
    const found = await askRbd(pool, ['info', spec(image)])
    return found === undefined ? undefined : RbdImage.parse(found)
  }

  const rbd = (args: readonly string[], signal?: AbortSignal, ...accepted: number[]) =>
    mustRbd(pool, args, signal, ...accepted)

  /** The note is there before its image, which therefore nobody takes for a left one. */
  async function nameAnew(path: string): Promise<string> {
    const disk = basename(path)
      .replace(NOTE, '')
      .replace(/^disk-/, '')
    const image = `${pool.prefix}${disk}.${randomBytes(4).toString('hex')}`
    await writeWhole(path, JSON.stringify({ image }))
    return image
  }

  async function parentsOf(image: string): Promise<number> {
    let [count, now] = [0, (await info(image))?.parent]
    for (; now !== undefined && count < MOST_PARENTS; count += 1)
      now = (await info(now.image))?.parent
    return count
  }

  /** The copy shares what neither changes, without any wait, unless that has been done too often. */
  async function copy(image: string, to: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    await breakLocks(pool, image)
    if ((await parentsOf(image)) >= MOST_PARENTS) {
      await rbd(['cp', '--no-progress', spec(image), spec(to)], signal)
      return
    }
    const moment = `${spec(image)}@${COPYING}`
    // Of an earlier copy that was killed.
    await rbd(['snap', 'rm', '--no-progress', moment], undefined, RBD.absent)
    await rbd(['snap', 'create', '--no-progress', moment])
    // Of this format, Ceph keeps the moment for as long as its copies need it, and no longer.
    await rbd(['--rbd-default-clone-format', '2', 'clone', moment, spec(to)])
    await rbd(['snap', 'rm', '--no-progress', moment])
  }

  async function named(): Promise<ReadonlySet<string>> {
    const found = new Set<string>()
    // Must throw if the folder or one in it cannot be read: the file system and the pool fail
    // separately, and images whose notes are away are not left over.
    for (const { name, parentPath } of await readdir(home, {
      recursive: true,
      withFileTypes: true,
    })) {
      if (!NOTE.test(name)) continue
      const image = await imageOf(join(parentPath, name)).catch((error: unknown) => {
        // One that was not written to its end names nothing yet.
        if (name.endsWith('.new') && error instanceof SyntaxError) return null
        throw error
      })
      if (image !== null) found.add(image)
    }
    return found
  }

  const disks: Disks = {
    ending: '.rbd',

    async sizeBytes(path) {
      const found = await info(await imageOf(path))
      if (found) return found.size
      const disk = basename(path).replace(NOTE, '')
      throw new DriverError(
        'disk_missing',
        `The image of the disk ${disk} is gone from the RBD pool. Restore a snapshot or a backup, or install the machine anew.`,
      )
    },

    async create(path, sizeMb) {
      await rbd(['create', '--size', `${sizeMb}M`, spec(await nameAnew(path))])
    },

    async grow(path, sizeMb) {
      const image = await imageOf(path)
      await breakLocks(pool, image)
      await rbd(['resize', '--no-progress', '--size', `${sizeMb}M`, spec(image)])
    },

    copyIn: async (from, format, path, onPercent, signal) =>
      copyToImage(pool, from, format, await nameAnew(path), onPercent, signal),

    at: async (path) => ({ name: locationOf(pool, await imageOf(path)), format: 'raw' }),

    copyOut: async (path, to, onPercent, signal) =>
      copyFromImage(pool, await imageOf(path), to, onPercent, signal),

    async adopt(path, holding, signal) {
      const note = path.replace(/\.qcow2$/, disks.ending)
      if (!(await exists(note))) {
        await disks.copyIn(path, 'qcow2', `${note}.new`, () => {}, signal)
        await holding(() => moveIntoPlace(`${note}.new`, note))
      }
      await rm(path, { force: true })
      return basename(note)
    },

    async keep(path, to, signal) {
      const sizeBytes = await disks.usedBytes([path])
      await copy(await imageOf(path), await nameAnew(to), signal)
      return { sizeBytes, sha256: null }
    },

    async bringBack({ name }, from, to, signal) {
      const image = (await exists(from)) ? await imageOf(from) : null
      if (image === null || !(await info(image)))
        throw new DriverError('copy_damaged', `${name} of the snapshot is gone.`)
      await copy(image, await nameAnew(to), signal)
    },

    async usedBytes(paths) {
      let sum = 0
      for (const path of paths) {
        if (!(await exists(path))) continue
        const onLine = (line: string) => {
          // Offset, length and kind of each written part.
          const [, length] = /^\d+\s+(\d+)\s+data$/.exec(line.trim()) ?? []
          sum += Number(length ?? 0)
        }
        const args = ['diff', '--whole-object', spec(await imageOf(path))]
        const result = await runRbd(pool, args, { onLine })
        if (result.code !== 0 && result.code !== RBD.absent) throw rbdFailure(pool, result)
      }
      return sum
    },

    claim: async (path) => breakLocks(pool, await imageOf(path)),

    async sweep() {
      try {
        // The images first, because a note is there before its image.
        const images = await imagesIn(pool, pool.prefix)
        const used = images.length > 0 ? await named() : new Set()
        await removeImages(
          pool,
          images.filter((image) => !used.has(image)),
        )
      } catch {
        // The next one does.
      }
    },

    removeAll: () => removeImagesOf(pool, pool.prefix),
  }
  return disks
}
