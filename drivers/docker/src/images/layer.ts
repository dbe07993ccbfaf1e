import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat, readdir, readlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { DriverError } from '@lodge/driver/driver.ts'
import { runProgram } from '@lodge/driver/run-program.ts'

/** Path, type, ownership and content of every entry in a tree, ignoring times. */
export type TreeIndex = ReadonlyMap<string, string>

const PACK_DEADLINE_MS = 600_000

/** Indexes a tree. Paths are relative to it, without a leading slash. */
export async function indexTree(root: string, signal: AbortSignal): Promise<TreeIndex> {
  const index = new Map<string, string>()
  const folders = ['']
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    signal.throwIfAborted()
    for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      index.set(path, await describePath(join(root, path)))
      if (entry.isDirectory()) folders.push(path)
    }
  }
  return index
}

async function describePath(path: string): Promise<string> {
  const facts = await lstat(path)
  const what = facts.isSymbolicLink()
    ? await readlink(path)
    : facts.isFile()
      ? await digest(path)
      : String(facts.rdev)
  return `${facts.mode.toString(8)} ${facts.uid}:${facts.gid} ${what}`
}

async function digest(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('base64url')
}

/**
 * The paths that a layer on the base needs, including their parent folders; null when the tree
 * lacks something that the base has, because our layers cannot delete files.
 */
export function pathsAbove(base: TreeIndex, tree: TreeIndex): readonly string[] | null {
  for (const path of base.keys()) if (!tree.has(path) && !isVolatile(path)) return null
  const needed = new Set<string>()
  for (const [path, what] of tree) {
    if (base.get(path) === what) continue
    needed.add(path)
    for (let up = dirname(path); up !== '.'; up = dirname(up)) needed.add(up)
  }
  return [...needed].sort()
}

/** Caches and logs that building a system leaves behind, and that may differ. */
const isVolatile = (path: string): boolean => /^(var\/(cache|log|lib\/apt)|tmp|run)\//.test(path)

/** Packs these paths of a tree, or all of it, into a tar file. */
export async function packTree(
  root: string,
  file: string,
  paths: readonly string[] | null,
  signal: AbortSignal,
): Promise<void> {
  const which = paths ? ['--null', '--no-recursion', '--files-from=-'] : ['.']
  const { code, output } = await runProgram(
    'tar',
    [
      '--create',
      `--file=${file}`,
      `--directory=${root}`,
      '--numeric-owner',
      '--xattrs',
      '--sort=name',
      '--one-file-system',
      ...which,
    ],
    {
      signal,
      deadlineMs: PACK_DEADLINE_MS,
      ...(paths && { input: paths.map((path) => `${path}\0`).join('') }),
    },
  )
  if (code !== 0)
    throw new DriverError(
      'image_unavailable',
      `The image could not be packed: ${output.trim().slice(-200)}`,
      { retryable: true },
    )
}
