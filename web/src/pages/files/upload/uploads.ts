import { useSyncExternalStore } from 'react'
import type { Upload } from 'tus-js-client'
import { numbered } from '../file-names.ts'
import { answerOthers } from './elsewhere.ts'
import { send } from './send.ts'
import type { Chosen, ConflictAnswer, Transfer, TransferState } from './transfer.ts'

/** Uploads of this browser tab; they continue while other pages are shown. */

const AT_ONCE = 3
/** Batches updates: hundreds of small files would render the tray hundreds of times. */
const PUBLISH_MS = 120

const all = new Map<number, Transfer>()
const senders = new Map<number, Upload>()
const listeners = new Set<() => void>()
let shown: readonly Transfer[] = []
let timer: ReturnType<typeof setTimeout> | undefined
let nextId = 1
/** The answer that applies to all further files. */
let forAll: ConflictAnswer | undefined

function publish(): void {
  if (timer !== undefined) return
  timer = setTimeout(() => {
    timer = undefined
    shown = [...all.values()]
    for (const listener of listeners) listener()
    const isBusy = shown.some(({ state }) => state === 'waiting' || state === 'sending')
    window.onbeforeunload = isBusy ? (event) => event.preventDefault() : null
  }, PUBLISH_MS)
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useTransfers = (): readonly Transfer[] => useSyncExternalStore(listen, () => shown)

function put(id: number, change: Partial<Transfer>): void {
  const old = all.get(id)
  if (!old) return
  all.set(id, { ...old, ...change })
  publish()
}

const having = (...states: readonly TransferState[]): readonly Transfer[] =>
  [...all.values()].filter(({ state }) => states.includes(state))

/** Starts as many waiting uploads as may run concurrently. */
function goOn(): void {
  const free = AT_ONCE - having('sending').length
  for (const one of having('waiting').slice(0, Math.max(0, free))) void begin(one)
  if (having('waiting', 'sending', 'conflict', 'paused').length === 0) forAll = undefined
}

async function begin(transfer: Transfer): Promise<void> {
  const { id } = transfer
  put(id, { state: 'sending' })
  const ended = (change: Partial<Transfer>): void => {
    senders.delete(id)
    put(id, change)
    goOn()
  }
  try {
    const upload = await send(transfer, {
      progress: (sentBytes) => put(id, { sentBytes }),
      done: () => ended({ state: 'done', sentBytes: transfer.file.size }),
      conflict: () => {
        ended({ state: 'conflict' })
        if (forAll) answerConflict(forAll, [id])
      },
      failed: (fault) => ended({ state: 'failed', fault }),
    })
    // It was paused or cancelled while its code was loading.
    if (all.get(id)?.state !== 'sending') return
    senders.set(id, upload)
    upload.start()
  } catch (error) {
    ended({ state: 'failed', fault: error instanceof Error ? error.message : String(error) })
  }
}

/** Adds files to the queue. */
export function enqueue(serverId: string, { files }: Pick<Chosen, 'files'>): void {
  for (const { file, path } of files) {
    const id = nextId++
    all.set(id, { id, serverId, file, path, sentBytes: 0, state: 'waiting', replace: false })
  }
  publish()
  goOn()
}

export function pauseAll(): void {
  for (const { id } of having('waiting', 'sending')) {
    void senders.get(id)?.abort()
    senders.delete(id)
    put(id, { state: 'paused' })
  }
}

export function resume(ids: readonly number[]): void {
  for (const id of ids) put(id, { state: 'waiting' })
  goOn()
}

/** Resumes those that were paused or failed. */
export const resumeAll = (): void => resume(having('paused', 'failed').map(({ id }) => id))

/** Cancels an upload, with what has arrived of it. */
export function giveUp(ids: readonly number[]): void {
  for (const id of ids) {
    // If the node cannot be told now, it deletes the parts after some days.
    void senders
      .get(id)
      ?.abort(true)
      .catch(() => undefined)
    senders.delete(id)
    all.delete(id)
  }
  publish()
  goOn()
}

export const clearEnded = (): void => giveUp(having('done', 'failed').map(({ id }) => id))

/** @param isForAll applies the answer to all further files */
export function answerConflict(
  answer: ConflictAnswer,
  ids: readonly number[],
  isForAll = false,
): void {
  if (isForAll) forAll = answer
  for (const id of isForAll ? having('conflict').map((one) => one.id) : ids) {
    const one = all.get(id)
    if (answer === 'skip') giveUp([id])
    else if (answer === 'replace') put(id, { state: 'waiting', replace: true })
    else if (one) put(id, { state: 'waiting', path: numbered(one.path) })
  }
  goOn()
}

answerOthers((serverId) =>
  [...all.values()]
    .filter((one) => one.serverId === serverId && one.state !== 'done')
    .map(({ path }) => path),
)

// The connection returned, for example after the lid was closed.
addEventListener('online', () => resume(having('failed').map(({ id }) => id)))
