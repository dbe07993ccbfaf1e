import { backoffMs } from '@lodge/shared/backoff.ts'
import { type Ctx, contextFor } from '../../context.ts'
import { watcher } from '../../jobs/periodic-task.ts'
import { Problem } from '../../problem.ts'
import type { Services } from '../../services.ts'
import { findUser } from '../customers/index.ts'
import { PluginCallFailed, scannersOf, scanWith } from '../plugins/index.ts'
import { awaitPreview } from './previews/previews.ts'
import * as store from './scan-store.ts'
import type { ScannedRow } from './store.ts'
import type { AttachmentRow, AttachmentScanRow } from './tables.ts'
import { mayPassUnscanned } from './unscanned.ts'

/** After this many attempts a file may pass unscanned, if the host allows that. */
const ATTEMPTS_TO_PASS = 3
/**
 * Delays between attempts, long enough that one file on which a scanner crashes each time stays below
 * the five failures in ten minutes that turn a plugin off.
 */
const AGAIN = { leastMs: 60_000, mostMs: 1_800_000 }
/** Delay while a plugin is starting, which does not count as an attempt on the file. */
const STARTING_MS = 15_000

type Outcome = Pick<AttachmentScanRow, 'state' | 'why'>

/** Queues the scan of a new file in the transaction of the file, if there is a scanner. */
export async function awaitScan(ctx: Ctx, attachmentId: string): Promise<void> {
  if ((await scannersOf(ctx)).length > 0) await store.insertScan(ctx.db, attachmentId)
}

/** @throws {Problem} attachment_not_scanned, attachment_infected */
export function requireClean({ scan, scanWhy, name }: ScannedRow): void {
  if (scan === 'waiting')
    throw new Problem('attachment_not_scanned', 'The file is still being scanned: try again soon')
  if (scan === 'infected')
    throw new Problem('attachment_infected', `The file ${name} was refused: ${scanWhy}`)
}

/**
 * Sends waiting files to the scanners. A file whose scan was cut off by the end of a control plane is
 * due again.
 */
export const scanAttachments = watcher(
  'attachments.scan',
  store.ANY_DUE,
  async (services, stopped = new AbortController().signal) => {
    const due = await store.takeDue(services.db)
    const work = Promise.all(due.map((file) => scanOne(services, file, stopped)))
    const settled = await unlessStopped(work, stopped)
    return {
      scanned: settled.filter(Boolean).length,
      postponed: settled.filter((is) => !is).length,
    }
  },
)

/**
 * Resolves early when the control plane stops: it stops scanners after its tasks and must not wait
 * for a slow one.
 */
async function unlessStopped(work: Promise<boolean[]>, stopped: AbortSignal): Promise<boolean[]> {
  const { promise, resolve } = Promise.withResolvers<boolean[]>()
  const giveUp = () => resolve([])
  stopped.addEventListener('abort', giveUp, { once: true })
  if (stopped.aborted) giveUp()
  try {
    return await Promise.race([work, promise])
  } finally {
    stopped.removeEventListener('abort', giveUp)
  }
}

async function scanOne(
  services: Services,
  file: store.DueScan,
  stopped: AbortSignal,
): Promise<boolean> {
  try {
    await settle(services, file, await judge(services, file))
    return true
  } catch (error) {
    // A scanner that ended with the control plane has said nothing about the file, so the scan is due
    // again.
    if (stopped.aborted) return false
    if (!(error instanceof PluginCallFailed)) throw error
    if (error.reason === 'not_running') {
      await store.putBack(services.db, file.id, STARTING_MS)
      return false
    }
    const ctx = contextFor(services, { kind: 'system' })
    const mayPass = file.attempts >= ATTEMPTS_TO_PASS
    if (mayPass && (await ctx.catalogue.answers.find(mayPassUnscanned)?.(ctx))) {
      await settle(services, file, { state: 'unscanned', why: null })
      return true
    }
    await store.postpone(services.db, file.id, backoffMs(file.attempts - 1, AGAIN))
    return false
  }
}

/**
 * The combined verdict of all scanners: the failure of one does not hide what another has found.
 * Undefined once all scanners have been turned off.
 */
async function judge(services: Services, file: store.DueScan): Promise<Outcome> {
  const scanners = await scannersOf(services)
  const failures: PluginCallFailed[] = []
  for (const id of scanners) {
    try {
      const found = await scanWith(services, id, file)
      if (found.verdict === 'infected') return { state: 'infected', why: asText(found.why) }
    } catch (error) {
      if (!(error instanceof PluginCallFailed)) throw error
      failures.push(error)
    }
  }
  const [worst] = failures.toSorted((a, b) => weight(b) - weight(a))
  if (worst) throw worst
  return { state: scanners.length > 0 ? 'clean' : 'unscanned', why: null }
}

/** A failure on the file counts more than a scanner that does not run. */
const weight = ({ reason }: PluginCallFailed): number => (reason === 'not_running' ? 0 : 1)

/** A plugin's text as one line that the database accepts. */
const asText = (words: string): string =>
  words
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()

const settle = (services: Services, { id }: store.DueScan, outcome: Outcome): Promise<void> =>
  contextFor(services, { kind: 'system' }).transaction(async (ctx) => {
    const file = await store.settle(ctx.db, id, outcome)
    if (!file) return
    await awaitPreview(ctx, id)
    const { messageKind, messageId } = file
    if (messageKind && messageId) await ctx.emit('attachment.scanned', { messageKind, messageId })
    if (outcome.state === 'infected') await tellInfected(ctx, file, outcome.why ?? '')
  })

async function tellInfected(
  ctx: Ctx,
  { name, messageKind, messageId, uploaderId }: AttachmentRow,
  why: string,
): Promise<void> {
  const uploader = uploaderId === null ? undefined : await findUser(ctx.db, uploaderId)
  await ctx.emit('attachment.infected', {
    ...{ name, why },
    message: messageKind && messageId ? { kind: messageKind, id: messageId } : null,
    uploader: uploader ? { id: uploader.id, email: uploader.email, role: uploader.role } : null,
  })
}
