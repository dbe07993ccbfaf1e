import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { backoffMs } from '@lodge/shared/backoff.ts'
import { DownloadRefused, download } from '@lodge/shared/egress/download.ts'
import { EgressRefused } from '@lodge/shared/egress/egress.ts'
import { errorCode } from '@lodge/shared/error-code.ts'
import { z } from 'zod'
import { isDuplicate } from '../../../db/database.ts'
import { giveWay } from '../../../jobs/sagas/give-way.ts'
import { Permanent, type StepTools, saga } from '../../../jobs/sagas/saga.ts'
import { findMedium, lockMedia, updateMedium } from '../store.ts'
import type { MediumRow } from '../tables.ts'
import { expectedDigest } from './checksums.ts'
import { type Digested, digestOf, noRoom } from './digest.ts'
import {
  arrivingFile,
  dropArriving,
  dropKept,
  keepFile,
  keptFile,
  makeFolders,
  roomForMedia,
  sizeOf,
} from './folder.ts'
import { judgeMedium } from './medium-header.ts'

const TRIES = 4
const AGAIN = { leastMs: 2_000, mostMs: 30_000 }

/** Downloads a medium once and verifies it before any node uses it. */
export const checkMedium = saga('vm.medium.check', z.object({ mediumId: z.uuid() })).step(
  'Download and verify',
  {
    async do({ mediumId }, tools) {
      const { ctx } = tools
      const row = await findMedium(ctx.db, mediumId)
      if (!row) throw new Permanent('not_found', 'The medium is gone')
      const found = await bring(row, tools)
      await updateMedium(ctx.db, mediumId, { ...found, state: 'ready', failure: null }).catch(
        (error: unknown) => {
          if (!isDuplicate(error, 'vm_media_sha256')) throw error
          throw new Permanent('duplicate', 'It is registered already under another name')
        },
      )
      await dropArriving(ctx, mediumId)
      return { sizeBytes: found.sizeBytes, virtualSizeMb: found.virtualSizeMb }
    },
    // Keep the row, because it shows why the medium is unusable; delete its file.
    async undo({ mediumId }, { ctx, failure }) {
      const row = await findMedium(ctx.db, mediumId)
      if (!row) return
      await updateMedium(ctx.db, mediumId, {
        state: 'failed',
        failure: failure?.detail ?? null,
        // Free the fingerprint, which is unique, for another attempt.
        ...(row.kept && { kept: false, sha256: null }),
      })
      await dropArriving(ctx, mediumId)
      if (row.kept && row.sha256) await dropKept(ctx, row.sha256)
    },
  },
)

type Checked = Pick<MediumRow, 'sizeBytes' | 'virtualSizeMb'> & Partial<MediumRow>

function bring(row: MediumRow, tools: StepTools): Promise<Checked> {
  const { id, url, checksumUrl } = row
  if (url === null) return checkUpload(row, tools)
  if (checksumUrl === null) return trying(tools, () => checkAddress({ ...row, url }, tools))
  return trying(tools, () => fetchToKeep({ ...row, id, url, checksumUrl }, tools))
}

async function trying<T>(tools: StepTools, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      await giveWay(tools)
      if (error instanceof Permanent) throw error
      if (error instanceof EgressRefused)
        throw new Permanent(
          'medium_refused',
          `The address is not used: ${error.reason}. A host of your own network is allowed by LODGE_EGRESS_HOSTS=host:port, for the control plane and on each node that runs machines`,
        )
      const words = error instanceof Error ? error.message : 'it broke off'
      if (isFinal(error) || attempt === TRIES)
        throw new Permanent('medium_unavailable', `It could not be downloaded: ${words}`)
      const pauseMs = backoffMs(attempt - 1, AGAIN)
      await tools
        .elsewhere(() => delay(pauseMs, undefined, { signal: tools.signal }))
        .catch(() => undefined)
    }
  }
}

/** Errors of the address or its certificate do not go away by retrying. */
function isFinal(error: unknown): boolean {
  if (error instanceof DownloadRefused) return error.status >= 400 && error.status < 500
  const code = errorCode(error) ?? ''
  return code.startsWith('ERR_TLS') || code.includes('CERT') || code === 'ENOTFOUND'
}

/** Checks a medium that nodes fetch themselves from its address. */
async function checkAddress(
  row: MediumRow & { readonly url: string },
  tools: StepTools,
): Promise<Checked> {
  const answer = await download(row.url, tools.ctx.egress, tools.signal)
  const found = await digestOf(answer, tools)
  requireFingerprint(row, found)
  return { sizeBytes: found.sizeBytes, virtualSizeMb: judged(row, found) }
}

/**
 * Stores a copy of a medium that its publisher replaces from time to time, so that every machine gets
 * the same bytes.
 */
async function fetchToKeep(
  row: MediumRow & { readonly url: string; readonly checksumUrl: string },
  tools: StepTools,
): Promise<Checked> {
  const { ctx, signal } = tools
  const expected = await expectedDigest(row, ctx.egress, signal)
  if (!expected)
    throw new Permanent(
      'medium_invalid',
      `${row.checksumUrl} has no SHA-256 or SHA-512 of this file`,
    )
  await makeFolders(ctx)
  const answer = await download(row.url, ctx.egress, signal)
  const file = await open(arrivingFile(ctx, row.id), 'w', 0o600)
  const room = () => roomForMedia(ctx, row.id)
  const found = await reserve(row, answer.sizeBytes, tools)
    .then(() => digestOf(answer, tools, { file, room }))
    .finally(() => file.close())
  if (found[expected.algorithm] !== expected.hex)
    throw new Permanent(
      'medium_invalid',
      `Its ${expected.algorithm === 'sha256' ? 'SHA-256' : 'SHA-512'} is ${found[expected.algorithm]}, not the one that its publisher names`,
    )
  return keep(row, found, tools)
}

/** Keeps the room of a medium for it while it arrives, as far as its server tells its size. */
async function reserve(
  { id }: MediumRow,
  sizeBytes: number | null,
  { ctx }: StepTools,
): Promise<void> {
  await ctx.transaction(async (ctx) => {
    await lockMedia(ctx.db)
    if ((sizeBytes ?? 0) > (await roomForMedia(ctx, id))) throw noRoom()
    await updateMedium(ctx.db, id, { sizeBytes })
  })
}

async function checkUpload(row: MediumRow, tools: StepTools): Promise<Checked> {
  const { ctx } = tools
  const arrived = arrivingFile(ctx, row.id)
  const there = await sizeOf(arrived)
  if (
    there === null &&
    row.kept &&
    row.sha256 &&
    (await sizeOf(keptFile(ctx, row.sha256))) !== null
  )
    return { sizeBytes: row.sizeBytes, virtualSizeMb: row.virtualSizeMb }
  if (there === null || there !== row.sizeBytes)
    throw new Permanent(
      'medium_unavailable',
      'The file that was uploaded is not here: upload it again',
    )
  const body = createReadStream(arrived, { signal: tools.signal, highWaterMark: 1_048_576 })
  const found = await digestOf({ body, sizeBytes: there }, tools)
  if (row.sha256 !== null) requireFingerprint(row, found)
  return keep(row, found, tools)
}

async function keep(row: MediumRow, found: Digested, { ctx }: StepTools): Promise<Checked> {
  const virtualSizeMb = judged(row, found)
  const { sha256, sizeBytes } = found
  await keepFile(ctx, row.id, sha256)
  return { sha256, sizeBytes, virtualSizeMb, kept: true }
}

function requireFingerprint(row: MediumRow, { sha256 }: Digested): void {
  if (sha256 !== row.sha256)
    throw new Permanent(
      'medium_invalid',
      `Its fingerprint is ${sha256}, not the one that was registered`,
    )
}

function judged(row: MediumRow, { header, sizeBytes }: Digested): number | null {
  const verdict = judgeMedium(row.kind, header, sizeBytes)
  if (!verdict.fit) throw new Permanent('medium_invalid', `It cannot be used: ${verdict.why}`)
  return verdict.virtualSizeMb
}
