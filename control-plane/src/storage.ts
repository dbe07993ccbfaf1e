import { statfsSync } from 'node:fs'
import { databaseFault } from './db/fault.ts'

/** With less than this, PostgreSQL cannot start another WAL segment. */
const FULL_BELOW_BYTES = 16 * 1024 * 1024
const NEARLY_FULL_PERCENT = 90
const KEEP_MS = 1000

export interface StorageState {
  readonly level: 'ok' | 'nearly_full' | 'full'
  /** For operators; empty while there is room. */
  readonly summary: string
}

/** The disk that holds this instance's data. */
export interface Storage {
  /** Current usage, measured at most once a second. */
  look(): StorageState
}

/** @param folder of the embedded database, or of all data if PostgreSQL runs elsewhere */
export function storageOf(folder: string): Storage {
  let newest: { at: number; state: StorageState } | undefined
  return {
    look() {
      if (!newest || Date.now() - newest.at >= KEEP_MS)
        newest = { at: Date.now(), state: measure(folder) }
      return newest.state
    },
  }
}

function measure(folder: string): StorageState {
  const { blocks, bfree, bavail, bsize } = statfsSync(folder)
  // Like df: blocks reserved for root count neither as used nor as available.
  const used = blocks - bfree
  const percent = Math.round((used / Math.max(1, used + bavail)) * 100)
  const availableBytes = bavail * bsize
  const left = `${Math.floor(availableBytes / 1024 / 1024)} MiB are left for ${folder}`
  if (availableBytes < FULL_BELOW_BYTES)
    return { level: 'full', summary: `The disk of the control plane is full: ${left}` }
  if (percent >= NEARLY_FULL_PERCENT)
    return {
      level: 'nearly_full',
      summary: `The disk of the control plane is ${percent}% full: ${left}`,
    }
  return { level: 'ok', summary: '' }
}

/** Whether an error, PostgreSQL's or the file system's, reports a full disk. */
export function isDiskFull(error: unknown): boolean {
  if (databaseFault(error)?.code === '53100') return true
  for (let at: unknown = error; at instanceof Error; at = at.cause)
    if ('code' in at && (at.code === 'ENOSPC' || at.code === 'EDQUOT')) return true
  return false
}
