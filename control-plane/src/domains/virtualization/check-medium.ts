import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Download, DownloadRefused, download } from '@lodge/shared/egress/download.ts'
import { EgressRefused } from '@lodge/shared/egress/egress.ts'
import { z } from 'zod'
import { giveWay } from '../../jobs/give-way.ts'
import { Permanent, type StepTools, saga } from '../../jobs/saga.ts'
import { HEADER_BYTES, judgeMedium } from './medium-header.ts'
import { findMedium, updateMedium } from './store.ts'
import type { MediumRow } from './tables.ts'

const TRIES = 4
const TELL_MS = 1_000
const MAX_BYTES = 64 * 1024 ** 3

/** Downloads a medium once, to know that it is what was registered before any node is sent to it. */
export const checkMedium = saga('vm.medium.check', z.object({ mediumId: z.uuid() })).step(
  'Download and verify',
  {
    async do({ mediumId }, tools) {
      const { db } = tools.ctx
      const row = await findMedium(db, mediumId)
      if (!row) throw new Permanent('not_found', 'The medium is gone')
      try {
        const found = await fetchWhole(row, tools)
        await updateMedium(db, mediumId, { ...found, state: 'ready', failure: null })
        return found
      } catch (error) {
        if (error instanceof Permanent)
          await updateMedium(db, mediumId, { state: 'failed', failure: error.message })
        throw error
      }
    },
  },
)

async function fetchWhole(row: MediumRow, tools: StepTools) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await fetchOnce(row, tools)
    } catch (error) {
      await giveWay(tools)
      if (error instanceof Permanent) throw error
      if (error instanceof EgressRefused)
        throw new Permanent('medium_refused', `The address is not used: ${error.message}`)
      const words = error instanceof Error ? error.message : 'it broke off'
      if (isFinal(error) || attempt === TRIES)
        throw new Permanent('medium_unavailable', `It could not be downloaded: ${words}`)
      await delay(1000 * 2 ** attempt, undefined, { signal: tools.signal }).catch(() => undefined)
    }
  }
}

/** What is wrong with the address or its certificate does not pass by asking again. */
function isFinal(error: unknown): boolean {
  if (error instanceof DownloadRefused) return error.status >= 400 && error.status < 500
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return code.startsWith('ERR_TLS') || code.includes('CERT') || code === 'ENOTFOUND'
}

async function fetchOnce(row: MediumRow, tools: StepTools) {
  const answer = await download(row.url, tools.ctx.egress, tools.signal)
  const { sizeBytes, sha256, header } = await digest(answer, tools)
  if (sha256 !== row.sha256)
    throw new Permanent(
      'medium_invalid',
      `Its fingerprint is ${sha256}, not the one that was registered`,
    )
  const verdict = judgeMedium(row.kind, header, sizeBytes)
  if (!verdict.fit) throw new Permanent('medium_invalid', `It cannot be used: ${verdict.why}`)
  return { sizeBytes, virtualSizeMb: verdict.virtualSizeMb }
}

async function digest({ sizeBytes: total, body }: Download, tools: StepTools) {
  const hash = createHash('sha256')
  const beginning: Buffer[] = []
  let sizeBytes = 0
  let toldMs = 0
  for await (const part of body) {
    hash.update(part)
    if (sizeBytes < HEADER_BYTES) beginning.push(part)
    sizeBytes += part.length
    if (sizeBytes > MAX_BYTES) throw new Permanent('medium_invalid', 'It is larger than 64 GiB')
    if (performance.now() - toldMs < TELL_MS) continue
    toldMs = performance.now()
    const percent = total ? Math.min(99, Math.floor((sizeBytes * 100) / total)) : null
    const of = total ? ` of ${mib(total)}` : ''
    await tools.progress(percent, `${mib(sizeBytes)}${of} MiB`)
  }
  if (total !== null && sizeBytes !== total) throw new Error('it ended too early')
  const header = Buffer.concat(beginning).subarray(0, HEADER_BYTES)
  return { sizeBytes, sha256: hash.digest('hex'), header }
}

const mib = (bytes: number): number => Math.ceil(bytes / 1_048_576)
