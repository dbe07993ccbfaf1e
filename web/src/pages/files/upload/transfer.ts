/** One file being uploaded to a server. */
export interface Transfer {
  readonly id: number
  readonly serverId: string
  readonly file: File
  readonly path: string
  readonly sentBytes: number
  readonly state: TransferState
  /** Why it failed, in words. */
  readonly fault?: string
  /** Whether it may replace an existing file. */
  readonly replace: boolean
}

export type TransferState =
  | 'waiting'
  | 'sending'
  | 'paused'
  /** A file with its name exists: somebody has to decide. */
  | 'conflict'
  | 'failed'
  | 'done'

export const CONFLICT_ANSWERS = ['replace', 'both', 'skip'] as const
export type ConflictAnswer = (typeof CONFLICT_ANSWERS)[number]

/** Files with their target paths, and empty folders. */
export interface Chosen {
  readonly files: readonly { readonly file: File; readonly path: string }[]
  readonly folders: readonly string[]
}

export interface Totals {
  readonly count: number
  readonly done: number
  readonly failed: number
  readonly conflicts: number
  readonly open: number
  readonly paused: number
  readonly sentBytes: number
  readonly totalBytes: number
}

export function totalsOf(transfers: readonly Transfer[]): Totals {
  const having = (...states: readonly TransferState[]): number =>
    transfers.filter(({ state }) => states.includes(state)).length
  return {
    count: transfers.length,
    done: having('done'),
    failed: having('failed'),
    conflicts: having('conflict'),
    open: having('waiting', 'sending'),
    paused: having('paused'),
    sentBytes: transfers.reduce((sum, { sentBytes }) => sum + sentBytes, 0),
    totalBytes: transfers.reduce((sum, { file }) => sum + file.size, 0),
  }
}

const ORDER: readonly TransferState[] = [
  'conflict',
  'failed',
  'sending',
  'paused',
  'waiting',
  'done',
]
/** Uploads that need a decision first, then those in progress. */
export const inOrder = (transfers: readonly Transfer[]): readonly Transfer[] =>
  ORDER.flatMap((state) => transfers.filter((one) => one.state === state))
