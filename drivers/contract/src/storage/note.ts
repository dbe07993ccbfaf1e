import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorCode } from '@lodge/shared/error-code.ts'
import { writeDurably } from '../durable.ts'
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
