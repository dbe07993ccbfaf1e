import { join } from 'node:path'
import type { CollectedImages, Images as KeptImages } from '@lodge/driver/capabilities/images.ts'
import type { OnProgress } from '@lodge/driver/driver.ts'
import type { ImageSource } from '@lodge/shared/container-spec.ts'
import type { Engine } from '../engine/client.ts'
import type { Settings } from '../engine/options.ts'
import { findArchive, isSavedImage } from './archive.ts'
import { sweepBuilds } from './builds.ts'
import { imageCollector } from './collect.ts'
import { buildDebianImage, debianTag } from './debian.ts'
import { importRootTar, loadSavedTar } from './import.ts'
import { mirrorsOf } from './mirrors.ts'
import { parseReference } from './reference.ts'
import { pullImage } from './registry.ts'
import { usedImages } from './used.ts'

/** Provides images on this node. */
export interface Images {
  /** Returns the engine's name for the image, after pulling or building it if necessary. */
  ensure(source: ImageSource, onProgress: OnProgress, signal: AbortSignal): Promise<string>
  /** Drops the cached knowledge that this image is present. */
  forget(name: string): void
  readonly kept: KeptImages
  /** Removes images unused for long, or sooner when disk space is low, and what killed builds left. */
  collect(signal: AbortSignal, nowMs?: number): Promise<CollectedImages>
}

interface Work {
  readonly result: Promise<void>
  readonly listeners: Set<OnProgress>
  readonly cancel: AbortController
}

/**
 * Concurrent requests for the same image share one pull or build, which is cancelled when the last
 * one leaves.
 */
export function engineImages(engine: Engine, settings: Settings): Images {
  const present = new Set<string>()
  const running = new Map<string, Work>()
  const used = usedImages(join(settings.dataRoot, 'images', 'used.json'))
  const collector = imageCollector({
    engine,
    used,
    dataRoot: settings.dataRoot,
    isComing: (name) => running.has(name),
    gone: (name) => present.delete(name),
  })

  async function isPresent(name: string, signal: AbortSignal): Promise<boolean> {
    const image = engine.docker.getImage(name)
    return (await engine.find(() => image.inspect(), { signal })) !== null
  }

  async function fetchImage(
    source: ImageSource,
    name: string,
    onProgress: OnProgress,
    signal: AbortSignal,
  ) {
    if (source.kind === 'registry')
      return pullImage(engine, settings, source.reference, onProgress, signal)
    if (source.kind === 'debian')
      return buildDebianImage(engine, settings, source, onProgress, signal)
    const archive = await findArchive(settings.archiveFolder, source.path)
    onProgress({ step: 'image', percent: null, detail: 'Loading the archive' })
    const bring = (await isSavedImage(archive.file, signal)) ? loadSavedTar : importRootTar
    await bring(engine, archive.file, { tag: name, signal })
  }

  function begin(source: ImageSource, name: string): Work {
    const listeners = new Set<OnProgress>()
    const cancel = new AbortController()
    const tell: OnProgress = (progress) => {
      for (const listener of listeners) listener(progress)
    }
    const result = fetchImage(source, name, tell, cancel.signal).finally(() => running.delete(name))
    const work = { result, listeners, cancel }
    running.set(name, work)
    result.catch(() => {})
    return work
  }

  return {
    async ensure(source, onProgress, signal) {
      const name = await nameOf(source, settings)
      // Recorded first, so that the image is not collected before its container exists.
      await used.note(name, source.kind !== 'registry')
      if (present.has(name)) return name
      // A cancelled pull or build is still ending; wait, and start a new one.
      const ending = running.get(name)
      if (ending?.cancel.signal.aborted) await ending.result.catch(() => {})
      if (running.has(name) || !(await isPresent(name, signal))) {
        const work = running.get(name) ?? begin(source, name)
        await waiting(work, onProgress, signal)
        await used.note(name, true)
      }
      present.add(name)
      return name
    },
    forget(name) {
      present.delete(name)
    },
    kept: {
      report: collector.report,
      mirrors: (signal) => mirrorsOf(engine, signal),
      freeNow: collector.freeNow,
    },
    async collect(signal, nowMs) {
      await sweepBuilds(join(settings.dataRoot, 'images'))
      return await collector.collect(signal, nowMs)
    },
  }
}

async function nameOf(source: ImageSource, settings: Settings): Promise<string> {
  if (source.kind === 'debian') return debianTag(source)
  if (source.kind === 'archive') return (await findArchive(settings.archiveFolder, source.path)).tag
  const { repository, version } = parseReference(source.reference)
  return version.startsWith('sha256:') ? `${repository}@${version}` : `${repository}:${version}`
}

async function waiting(work: Work, onProgress: OnProgress, signal: AbortSignal): Promise<void> {
  const own: OnProgress = (progress) => onProgress(progress)
  work.listeners.add(own)
  let stop = () => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
  })
  try {
    await Promise.race([work.result, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
    work.listeners.delete(own)
    // Only the last waiter cancels the shared work.
    if (work.listeners.size === 0 && signal.aborted) {
      work.cancel.abort(signal.reason)
      await work.result.catch(() => {})
    }
  }
}
