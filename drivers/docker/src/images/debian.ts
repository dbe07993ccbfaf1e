import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { OnProgress } from '@lodge/driver/driver.ts'
import type { ImageSource } from '@lodge/shared/container-spec.ts'
import type { Engine } from '../engine/client.ts'
import type { Settings } from '../engine/options.ts'
import { removeContainer } from '../engine/removal.ts'
import { takeLayer } from './base-layer.ts'
import { buildLock, makeBuild, sweepBuilds } from './builds.ts'
import { BASE_CHANGES, baseTag, type DebianBase, ensureBase } from './debian-base.ts'
import { debianRoots, removeBuild } from './debian-root.ts'
import { feeding, importRootTar, splitTag } from './import.ts'
import { indexTree, packTree, pathsAbove } from './layer.ts'
import { holdingLock } from './lock.ts'

export type DebianSource = Extract<ImageSource, { kind: 'debian' }>

/** Increment when the same packages should give a new image. */
const RECIPE = 2

export const DEBIAN_IMAGE = 'lodge/debian'

export function debianTag(source: DebianSource): string {
  const recipe = JSON.stringify([RECIPE, source.suite, [...source.packages].sort(), process.arch])
  return `${DEBIAN_IMAGE}:${createHash('sha256').update(recipe).digest('hex').slice(0, 32)}`
}

/**
 * Builds an image from Debian packages, as a layer on the base shared by all images of the suite.
 * Serialized across processes of the machine. Throws `image_unavailable` with the last errors of
 * the package tools.
 */
export async function buildDebianImage(
  engine: Engine,
  settings: Settings,
  source: DebianSource,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<void> {
  const folder = join(settings.dataRoot, 'images')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const [, base] = splitTag(baseTag(source.suite))
  await sweepBuilds(folder)
  await holdingLock(buildLock(folder, base), signal, async () => {
    const building = { engine, settings, folder, source, onProgress }
    if (source.packages.length > 0) return await buildOnBase(building, signal)
    const makeRoot = debianRoots(source.suite, onProgress, signal)
    const base = await ensureBase(engine, folder, source.suite, makeRoot, signal)
    const [repo, tag] = splitTag(debianTag(source))
    await engine.call(() => engine.docker.getImage(base.imageId).tag({ repo, tag }), { signal })
  })
}

interface Building {
  readonly engine: Engine
  readonly settings: Settings
  readonly folder: string
  readonly source: DebianSource
  readonly onProgress: OnProgress
}

async function buildOnBase(building: Building, signal: AbortSignal): Promise<void> {
  const { engine, folder, source, onProgress } = building
  const work = await makeBuild(folder, splitTag(baseTag(source.suite))[1])
  try {
    const stage = stagesOf(onProgress)
    const makeBase = debianRoots(source.suite, stage(70), signal)
    const base = await ensureBase(engine, folder, source.suite, makeBase, signal)
    const baseTar = await takeLayer(engine, base.imageId, work, signal)
    const makeRoot = debianRoots(source.suite, stage(88), signal)
    const root = await makeRoot(work, { baseTar, packages: source.packages })
    onProgress({ step: 'image', percent: 88, detail: 'Packing the image' })
    const paths = pathsAbove(base.index, await indexTree(root, signal))
    const tar = join(work, 'layer.tar')
    await packTree(root, tar, paths, signal)
    onProgress({ step: 'image', percent: 95, detail: 'Handing the image to Docker' })
    if (paths) await commitLayer(building, base, tar, signal)
    // Some package removed a file of the base, so the image cannot share it.
    else await importRootTar(engine, tar, { tag: debianTag(source), changes: BASE_CHANGES, signal })
  } finally {
    await removeBuild(work)
  }
}

/** Divides the progress among stages: each continues at the percentage that the one before reached. */
function stagesOf(onProgress: OnProgress): (to: number) => OnProgress {
  let reached = 0
  return (to) => {
    const from = reached
    return (progress) => {
      const own = progress.percent ?? 0
      reached = Math.max(reached, Math.floor(from + ((to - from) * own) / 100))
      onProgress({ ...progress, percent: reached })
    }
  }
}

/** Creates the image by adding the files to a container that never runs. */
async function commitLayer(
  { engine, settings, source }: Building,
  base: DebianBase,
  tar: string,
  signal: AbortSignal,
): Promise<void> {
  const [repo, tag] = splitTag(debianTag(source))
  const name = `lodge-${settings.labelScope}-image-${tag}`
  await removeContainer(engine, name)
  try {
    const create = { name, Image: base.imageId, NetworkDisabled: true }
    const container = await engine.call(
      (abortSignal) => engine.docker.createContainer({ ...create, abortSignal }),
      { signal, deadlineMs: 60_000 },
    )
    const body = createReadStream(tar, { highWaterMark: 1024 * 1024 })
    await feeding(body, signal, async (abortSignal) => {
      await container.putArchive(body, { path: '/', abortSignal })
      await container.commit({ repo, tag, abortSignal })
    })
  } finally {
    await removeContainer(engine, name)
  }
}
