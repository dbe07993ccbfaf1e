import { mkdtemp, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { tryLock } from '@lodge/shared/local/folder-lock.ts'
import { removeBuild } from './debian-root.ts'

/** Earlier versions named the folders after no lock; no build takes this long. */
const UNOWNED_FOR_MS = 86_400_000

/** Held by whoever builds on this base. */
export const buildLock = (folder: string, base: string): string => join(folder, `${base}.building`)

/** Makes a folder for a build on this base, whose lock the caller holds. */
export const makeBuild = (folder: string, base: string): Promise<string> =>
  mkdtemp(join(folder, `build-${base}-`))

/** Deletes what builds left whose process was killed: gigabytes, where they had come far. */
export async function sweepBuilds(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch((): string[] => [])) {
    const [isBuild, base] = /^build-(?:([0-9a-f]{32})-)?\w{6}$/.exec(name) ?? []
    if (isBuild === undefined) continue
    const build = join(folder, name)
    if (base === undefined) {
      const facts = await stat(build).catch(() => null)
      if (facts && Date.now() - facts.mtimeMs > UNOWNED_FOR_MS) await removeBuild(build)
      continue
    }
    const giveBack = tryLock(buildLock(folder, base))
    if (giveBack) await removeBuild(build).finally(giveBack)
  }
}
