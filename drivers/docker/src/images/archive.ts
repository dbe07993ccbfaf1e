import { createHash } from 'node:crypto'
import { realpath, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, sep } from 'node:path'
import { DriverError } from '@lodge/driver/driver.ts'
import { runProgram } from '@lodge/driver/run-program.ts'

export interface Archive {
  readonly file: string
  /** Identifies this exact content: a changed file under the same path is another image. */
  readonly tag: string
}

/**
 * Resolves an archive inside the allowed folder. The path is relative to it and checked segment by
 * segment; symbolic links must not lead outside either. Throws `invalid_spec` or
 * `image_unavailable`.
 */
export async function findArchive(folder: string | undefined, path: string): Promise<Archive> {
  if (folder === undefined)
    throw new DriverError('invalid_spec', 'This node takes no images from archives.')
  const segments = path.split('/')
  if (
    isAbsolute(path) ||
    segments.some((segment) => ['', '.', '..'].includes(segment)) ||
    path.includes('\0')
  ) {
    throw new DriverError('invalid_spec', 'The archive has a path that cannot be used.')
  }
  const root = await realpath(folder).catch(() => null)
  const file = await realpath(join(folder, ...segments)).catch(() => null)
  if (root === null || file === null)
    throw new DriverError('image_unavailable', `There is no archive ${path}.`)
  const inside = relative(root, file)
  if (inside.startsWith(`..${sep}`) || inside === '..' || isAbsolute(inside)) {
    throw new DriverError('invalid_spec', 'The archive has a path that cannot be used.')
  }
  const facts = await stat(file)
  if (!facts.isFile()) throw new DriverError('image_unavailable', `There is no archive ${path}.`)
  const name = createHash('sha256')
    .update(`${inside}\0${facts.size}\0${facts.mtimeMs}`)
    .digest('hex')
  return { file, tag: `lodge/archive:${name.slice(0, 32)}` }
}

/** True for an archive made by `docker save`, false for a plain tar of a root file system. */
export async function isSavedImage(file: string, signal: AbortSignal): Promise<boolean> {
  const { code } = await runProgram('tar', ['-tf', file, 'manifest.json'], {
    signal,
    deadlineMs: 120_000,
  })
  return code === 0
}
