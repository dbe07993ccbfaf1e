import { statfs } from 'node:fs/promises'
import type { CollectedImages, ImageReport } from '@lodge/driver/capabilities/images.ts'
import { type Engine, EngineError } from '../engine/client.ts'
import { DEBIAN_IMAGE } from './debian.ts'
import { DEBIAN_BASE } from './debian-base.ts'
import type { UsedImages } from './used.ts'

/** An image unused for this long is removed. */
export const UNUSED_MS = 14 * 86_400_000
/**
 * Below this share of free disk space, all unused images are removed, except those used within the
 * last hour.
 */
const LEAST_FREE_SHARE = 0.15
const JUST_NOW_MS = 3_600_000
/** For images from versions that did not record when an image was used. */
const OWN_NAMES = [DEBIAN_IMAGE, DEBIAN_BASE, 'lodge/archive']

interface Kept {
  readonly id: string
  readonly name: string
  /** Bytes that removing only this image would free. */
  readonly bytes: number
  readonly layers: readonly string[]
  readonly used: boolean
  readonly lastUsedMs: number
}

export interface CollectorParts {
  readonly engine: Engine
  readonly used: UsedImages
  readonly dataRoot: string
  readonly isComing: (name: string) => boolean
  readonly gone: (name: string) => void
}

/**
 * Removes images that no server needs, but never one that something else brought to this engine.
 */
export function imageCollector({ engine, used, dataRoot, isComing, gone }: CollectorParts) {
  async function kept(signal: AbortSignal): Promise<Kept[]> {
    const [known, listed, containers] = await Promise.all([
      used.all(),
      engine.call(() => engine.docker.listImages(), { signal }),
      engine.call(() => engine.docker.listContainers({ all: true }), { signal }),
    ])
    const running = new Set(containers.map(({ ImageID }) => ImageID))
    const ours = listed.flatMap((image) =>
      [...(image.RepoTags ?? []), ...(image.RepoDigests ?? [])]
        .filter((name) => known.has(name) || OWN_NAMES.includes(name.split(':')[0] ?? ''))
        .slice(0, 1)
        .map((name) => ({ ...image, name })),
    )
    const found = await Promise.all(
      ours.map(async ({ Id, name, Created }) => {
        const facts = await engine.find(() => engine.docker.getImage(Id).inspect(), { signal })
        const layers = facts?.RootFS.Layers ?? []
        const lastUsedMs = known.get(name) ?? Created * 1000
        return { id: Id, name, layers, size: facts?.Size ?? 0, lastUsedMs, inUse: running.has(Id) }
      }),
    )
    const isBuiltOn = (above: readonly string[], on: readonly string[]) =>
      above.length > on.length && on.every((layer, at) => above[at] === layer)
    // Shared layers count for the first image that has them, preferring images in use.
    found.sort((a, b) => Number(b.inUse) - Number(a.inUse))
    return found.map(({ size, inUse, ...image }, at) => {
      const same = found
        .slice(0, at)
        .filter(({ layers }) => String(layers) === String(image.layers))
      const below = found.filter((other) => isBuiltOn(image.layers, other.layers)).concat(same)
      const carries = found.some((other) => isBuiltOn(other.layers, image.layers))
      return {
        ...image,
        bytes: size - Math.max(0, ...below.map((other) => other.size)),
        used: inUse || carries || isComing(image.name),
      }
    })
  }

  /** Returns the freed bytes, null when the image could not be removed. */
  async function remove(image: Kept): Promise<number | null> {
    try {
      await engine.find(() => engine.docker.getImage(image.name).remove(), { deadlineMs: 120_000 })
      gone(image.name)
      // The image may still exist under another name.
      const left = await engine.find(() => engine.docker.getImage(image.id).inspect())
      return left === null ? image.bytes : 0
    } catch (error) {
      // It has come into use meanwhile.
      if (error instanceof EngineError && error.status === 409) return null
      throw error
    }
  }

  /**
   * Removes matching images, longest unused first, and repeats: removing one may leave its base
   * unused.
   */
  async function sweep(
    goes: (image: Kept) => Promise<boolean>,
    signal: AbortSignal,
  ): Promise<CollectedImages> {
    const removed = new Map<string, number>()
    for (;;) {
      signal.throwIfAborted()
      const unused = (await kept(signal))
        .filter((image) => !image.used && !removed.has(image.name))
        .sort((a, b) => a.lastUsedMs - b.lastUsedMs)
      const before = removed.size
      for (const image of unused) {
        const bytes = (await goes(image)) ? await remove(image) : null
        if (bytes !== null) removed.set(image.name, bytes)
      }
      if (removed.size === before) break
    }
    await used.forget([...removed.keys()])
    const freedBytes = [...removed.values()].reduce((sum, bytes) => sum + bytes, 0)
    return { removed: removed.size, freedBytes }
  }

  return {
    async report(signal: AbortSignal): Promise<ImageReport> {
      const all = await kept(signal)
      const bytes = (some: readonly Kept[]) => some.reduce((sum, image) => sum + image.bytes, 0)
      const unused = all.filter((image) => !image.used)
      return {
        count: all.length,
        bytes: bytes(all),
        unusedCount: unused.length,
        unusedBytes: bytes(unused),
      }
    },

    /** Removes everything that is currently unused. */
    freeNow: (signal: AbortSignal) => sweep(async () => true, signal),

    /** Removes old images, and newer ones when disk space is low. */
    collect: (signal: AbortSignal, nowMs = Date.now()) =>
      sweep(async ({ lastUsedMs }) => {
        const unusedMs = nowMs - lastUsedMs
        return unusedMs > UNUSED_MS || (unusedMs > JUST_NOW_MS && (await isLow(dataRoot)))
      }, signal),
  }
}

async function isLow(folder: string): Promise<boolean> {
  const room = await statfs(folder)
  return room.blocks > 0 && room.bavail / room.blocks < LEAST_FREE_SHARE
}
