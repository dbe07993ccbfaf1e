import { type Db, inOneTransaction } from '../../db/database.ts'
import { updateJob } from '../board/store.ts'
import type { SagaRow } from '../board/tables.ts'
import { type Fact, Parked, WaitExpired } from '../dispatch/parking.ts'
import { isNodeOnline, isOnlineFor, updateSaga } from './saga-store.ts'

/** Fallback for a missed wake-up: as long as it has waited already, within these bounds. */
const LOOK_AGAIN = { leastMs: 1_000, mostMs: 15_000 }
/** The fact occurred between the two checks; wait long enough for its transaction to end. */
const AT_ONCE_MS = 500

interface Waiting {
  readonly db: Db
  readonly jobId: string
  readonly step: string
  /** As it is at that moment: a step may wait for several facts concurrently. */
  readonly parked: () => SagaRow['parked']
  readonly signal: AbortSignal
}

/**
 * Parks a saga until `happened` is true, see `StepTools.waitUntil`.
 *
 * Checking and registering are two transactions, and the fact may occur between them. So this
 * checks, registers, commits and checks again: whoever causes the fact after that finds the
 * registration. One case is left: a transaction that read the registrations before this one was
 * committed, and commits after the second check. Checking again covers it, soon at first: such a
 * transaction ends in moments.
 */
export async function waitUntil(
  waiting: Waiting,
  fact: Fact,
  happened: () => Promise<boolean>,
  remember: (parked: SagaRow['parked']) => void,
): Promise<void> {
  const { db, jobId, step, signal } = waiting
  signal.throwIfAborted()
  if (await isTrue(fact, happened)) return
  const parked = waiting.parked()
  const before = parked?.step === step ? parked : null
  const wait = waitOf(fact, before)
  const leftMs = wait.until === null ? Infinity : Date.parse(wait.until) - Date.now()
  if (leftMs <= 0 && (await hadItsTime(db, fact))) throw new WaitExpired()
  remember({ step, until: wait.until, waits: { ...before?.waits, [nameOf(fact)]: wait } })
  await inOneTransaction(db, async (tx) => {
    await updateSaga(tx, jobId, {
      parked: waiting.parked(),
      parkedNode: fact.kind === 'node-online' ? fact.nodeId : null,
      parkedJob: fact.kind === 'job-ended' ? fact.jobId : null,
    })
    if (fact.kind === 'generation-settled')
      await updateJob(tx, jobId, { generation: fact.generation })
  })
  if (await isTrue(fact, happened)) throw new Parked(AT_ONCE_MS)
  if (fact.kind === 'node-online' && (await isNodeOnline(db, fact.nodeId)))
    throw new Parked(AT_ONCE_MS)
  const { leastMs, mostMs } = LOOK_AGAIN
  const againMs = Math.min(mostMs, Math.max(leastMs, Date.now() - Date.parse(wait.since)))
  const dueMs = fact.kind === 'time' ? fact.at.getTime() - Date.now() : againMs
  throw new Parked(Math.max(0, Math.min(dueMs, leftMs > 0 ? leftMs : againMs)))
}

/** Whether the node that the fact depends on could have reported it by the deadline. */
const hadItsTime = async (db: Db, fact: Fact): Promise<boolean> =>
  fact.kind !== 'generation-settled' ||
  fact.nodeId === undefined ||
  (await isOnlineFor(db, fact.nodeId, fact.withinMs ?? 0))

const isTrue = async (fact: Fact, happened: () => Promise<boolean>): Promise<boolean> =>
  (fact.kind !== 'time' || fact.at.getTime() <= Date.now()) && (await happened())

/** Newer generations of a server are waited for in place of earlier ones, within the same time. */
const nameOf = (fact: Fact): string => {
  if (fact.kind === 'node-online') return `node ${fact.nodeId}`
  if (fact.kind === 'job-ended') return `job ${fact.jobId}`
  return fact.kind === 'time' ? 'time' : 'generation'
}

function waitOf(fact: Fact, before: SagaRow['parked']): { since: string; until: string | null } {
  const { withinMs } = fact
  const now = new Date().toISOString()
  const ofStep = before && !before.waits ? { since: now, until: before.until } : undefined
  const { since, until } = before?.waits?.[nameOf(fact)] ?? ofStep ?? { since: now, until: null }
  if (withinMs === undefined) return { since, until: null }
  return { since, until: until ?? new Date(Date.now() + withinMs).toISOString() }
}
