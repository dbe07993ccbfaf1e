import { constants } from 'node:fs'
import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { errorCode } from '@lodge/shared/error-code.ts'

/** The location of a file, which may not exist yet: an open folder and a name in it. */
export interface Beneath {
  /** The folder that holds the file; paths built with `entryPath` cannot be redirected. */
  readonly folder: FileHandle
  readonly name: string
}

/** The path of an entry of an open folder, even if the folder has been renamed or replaced. */
export const entryPath = (folder: FileHandle, name: string): string =>
  `/proc/self/fd/${folder.fd}/${name}`

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

/**
 * Opens the folder of a file beneath `root`, one component at a time and never through a symbolic
 * link, so that a server that swaps folders for links meanwhile cannot redirect the agent outside.
 * With `make` it creates missing folders and gives them to the owner of `root`; otherwise it
 * returns undefined when one is missing. The caller closes `folder`.
 */
export async function openBeneath(
  root: string,
  path: string,
  make: boolean,
): Promise<Beneath | undefined> {
  const parts = path.split('/')
  const name = parts.pop() ?? ''
  for (const part of [...parts, name]) {
    if (part === '' || part === '.' || part === '..' || part.includes('\0'))
      throw new Error('The path is not possible')
  }
  let folder = await open(root, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    const { uid, gid } = await folder.stat()
    for (const part of parts) {
      const next = await openFolder(folder, part, make, { uid, gid })
      await folder.close()
      if (!next) return undefined
      folder = next
    }
    return { folder, name }
  } catch (error) {
    await folder.close().catch(() => undefined)
    throw error
  }
}

async function openFolder(
  parent: FileHandle,
  name: string,
  make: boolean,
  owner: { readonly uid: number; readonly gid: number },
): Promise<FileHandle | undefined> {
  const path = entryPath(parent, name)
  try {
    return await open(path, FOLDER)
  } catch (error) {
    if (!isMissing(error)) throw notAFolder(error, name)
    if (!make) return undefined
  }
  await mkdir(path, { mode: 0o755 })
  const made = await open(path, FOLDER)
  await made.chown(owner.uid, owner.gid)
  return made
}

/** Whether a file or folder is not there. */
export const isMissing = (error: unknown): boolean => errorCode(error) === 'ENOENT'

function notAFolder(error: unknown, name: string): unknown {
  return ['ELOOP', 'ENOTDIR'].includes(errorCode(error) ?? '')
    ? new Error(`"${name}" is a link or not a folder`, { cause: error })
    : error
}
