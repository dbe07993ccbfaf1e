import type { Readable } from 'node:stream'
import { type Evidence, MAX_EVIDENCE_BYTES } from '@lodge/shared/support/abuse.ts'
import type { Ctx } from '../../../context.ts'
import type { Exchange } from '../../../http/endpoint.ts'
import { invalid } from '../../../http/input.ts'
import { streamBody } from '../../../http/raw-body.ts'
import { Problem } from '../../../problem.ts'
import { type StoredFile, storeStream } from '../../attachments/index.ts'
import { secondsUntilRoom } from '../strangers-files.ts'

const HOUR_MS = 3_600_000
/** How long a receipt is valid; the bytes are kept for a day. */
const VALID_MS = 20 * HOUR_MS
const LONGEST_UPLOAD_MS = HOUR_MS / 6
const RECEIPT = { table: 'support_tickets', id: 'abuse', column: 'evidence' }

export const evidenceBody = streamBody({
  maxBytes: MAX_EVIDENCE_BYTES,
  contentTypes: ['application/octet-stream'],
})

/**
 * Stores a file for a report to be sent later, and returns a receipt that nobody else can read or
 * forge. If the report is never sent, nothing but the bytes remains, for a day.
 * @throws {Problem} rate_limited, unsupported_media_type, payload_too_large, storage_full
 */
export async function keepEvidence(
  ctx: Ctx,
  name: string,
  bytes: Readable,
  { request }: Pick<Exchange, 'request'>,
): Promise<Evidence> {
  const announced = Number(request.headers['content-length'] ?? MAX_EVIDENCE_BYTES)
  const seconds = await secondsUntilRoom(ctx, Math.min(announced, MAX_EVIDENCE_BYTES))
  if (seconds > 0)
    throw new Problem(
      'rate_limited',
      'Too many files were sent with reports: send the report without files, and say where they are',
      { retryAfterSeconds: seconds },
    )
  const file = await storeStream(ctx, name, bytes, {
    maxBytes: MAX_EVIDENCE_BYTES,
    endMs: Date.now() + LONGEST_UPLOAD_MS,
  })
  const receipt = { ...file, untilMs: ctx.now.getTime() + VALID_MS } satisfies Receipt
  return {
    receipt: ctx.vault.seal(JSON.stringify(receipt), RECEIPT).toString('base64url'),
    ...{ name: file.name, sizeBytes: file.sizeBytes },
  }
}

type Receipt = StoredFile & { readonly untilMs: number }

/**
 * The files of these receipts, each once.
 * @throws {Problem} validation_failed
 */
export function filesOfReceipts(
  { vault, now }: Pick<Ctx, 'vault' | 'now'>,
  receipts: readonly string[],
): StoredFile[] {
  const files = new Map<string, StoredFile>()
  for (const [at, receipt] of receipts.entries()) {
    const file = opened(vault, receipt)
    if (!file || file.untilMs < now.getTime())
      throw invalid([
        {
          pointer: `/evidence/${at}`,
          detail: 'is not a file that was uploaded here within the last hours: upload it again',
        },
      ])
    if (!files.has(file.sha256)) files.set(file.sha256, file)
  }
  return [...files.values()]
}

function opened(vault: Ctx['vault'], receipt: string): Receipt | undefined {
  try {
    return JSON.parse(vault.open(Buffer.from(receipt, 'base64url'), RECEIPT)) as Receipt
  } catch {
    return undefined
  }
}
