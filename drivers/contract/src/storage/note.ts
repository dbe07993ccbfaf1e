import { readFileSync } from 'node:fs'
import { lstat, mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errorCode } from '@lodge/shared/error-code.ts'
import { DriverError } from '../driver.ts'
import { syncFolder, writeDurably } from '../durable.ts'
import type { RbdPool } from './rbd.ts'

/** On a node's own disk: which shared storage has the files of a server. */
export interface StorageNote {
  readonly id: string
  /** Where its folder on the storage was at last. */
  readonly home: string
  /** Distinguishes this node's unfinished work in that folder from what other nodes have left there. */
  readonly own?: string
  /** Has the disks, if they are no files. */
  readonly pool?: RbdPool
}

/** Read at once, because the paths of a server are asked for everywhere. Null: the node's own disk. */
export function readNote(file: string): StorageNote | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

export async function writeNote(file: string, note: StorageNote): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o711 })
  await writeDurably(file, JSON.stringify(note))
}

/** From then on the data on the node's own disk are in place again. */
export async function removeNote(file: string): Promise<void> {
  await rm(file, { force: true })
  await syncFolder(dirname(file))
}

/**
 * In the folder of a server on its node: the data there are whole, although the note says that those on a
 * shared storage are in place. Without it, nothing there is ever put in place.
 */
const wholeIn = (folder: string): string => join(folder, 'whole')

export const isWhole = (folder: string): Promise<boolean> =>
  lstat(wholeIn(folder)).then(
    () => true,
    () => false,
  )

export async function markWhole(folder: string): Promise<void> {
  await writeFile(wholeIn(folder), '', { mode: 0o600, flush: true })
  await syncFolder(folder)
}

export async function unmarkWhole(folder: string): Promise<void> {
  if (!(await isWhole(folder))) return
  await rm(wholeIn(folder), { force: true })
  await syncFolder(folder)
}

/** @throws {DriverError} disk_missing */
export function notWhole(): DriverError {
  return new DriverError(
    'disk_missing',
    'There is no whole copy of the server on the storage that it was to change to.',
  )
}

/** @throws {DriverError} not_permitted */
export function inPlace(): DriverError {
  return new DriverError('not_permitted', 'The data of the server lie there.', { retryable: true })
}
