import { createHash } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Engine } from '../engine/client.ts'
import { makeBuild } from './builds.ts'
import { type MakeRoot, removeBuild } from './debian-root.ts'
import { importRootTar, splitTag } from './import.ts'
import { indexTree, packTree, type TreeIndex } from './layer.ts'

/** Increment to make existing bases obsolete. */
const RECIPE = 1
/** Maximum age of a base; older ones would mostly be replaced by package updates on top. */
const FRESH_MS = 30 * 86_400_000
export const BASE_CHANGES = [
  'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/usr/games',
  'ENV LANG=C.UTF-8',
  'CMD ["/bin/sh"]',
]

/** The base system shared by all images of one suite. */
export interface DebianBase {
  readonly imageId: string
  readonly index: TreeIndex
}

const Kept = z.object({
  imageId: z.string(),
  madeMs: z.number(),
  index: z.array(z.tuple([z.string(), z.string()])),
})

export const DEBIAN_BASE = 'lodge/debian-base'

export function baseTag(suite: string): string {
  const recipe = JSON.stringify([RECIPE, suite, process.arch])
  return `${DEBIAN_BASE}:${createHash('sha256').update(recipe).digest('hex').slice(0, 32)}`
}

/** Returns the base of a suite, building it when it is missing or too old. */
export async function ensureBase(
  engine: Engine,
  folder: string,
  suite: string,
  makeRoot: MakeRoot,
  signal: AbortSignal,
): Promise<DebianBase> {
  const tag = baseTag(suite)
  const [, name] = splitTag(tag)
  const file = join(folder, `${name}.json`)
  const kept = await readKept(file)
  const image = () => engine.docker.getImage(tag)
  const there = await engine.find(() => image().inspect(), { signal })
  if (kept && there?.Id === kept.imageId && Date.now() - kept.madeMs < FRESH_MS)
    return { imageId: kept.imageId, index: new Map(kept.index) }

  const work = await makeBuild(folder, name)
  try {
    const root = await makeRoot(work)
    const index = await indexTree(root, signal)
    const tar = join(work, 'root.tar')
    await packTree(root, tar, null, signal)
    await importRootTar(engine, tar, { tag, changes: BASE_CHANGES, signal })
    const { Id: imageId } = await engine.call(() => image().inspect(), { signal })
    await writeFile(
      `${file}.new`,
      JSON.stringify({ imageId, madeMs: Date.now(), index: [...index] }),
    )
    await rename(`${file}.new`, file)
    return { imageId, index }
  } finally {
    await removeBuild(work)
  }
}

async function readKept(file: string): Promise<z.infer<typeof Kept> | null> {
  try {
    return Kept.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch {
    return null
  }
}
