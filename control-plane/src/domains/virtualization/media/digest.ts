import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { MEDIUM_BYTES_MAX } from '@lodge/shared/vms.ts'
import { Permanent, type StepTools } from '../../../jobs/sagas/saga.ts'
import { HEADER_BYTES } from './medium-header.ts'

const REPORT_EVERY_MS = 1_000

export interface Digested {
  readonly sizeBytes: number
  readonly sha256: string
  readonly sha512: string
  /** The first bytes, which identify the format. */
  readonly header: Buffer
}

/** Where a medium is copied to. */
export interface Copy {
  readonly file: FileHandle
  /** Bytes that there is still room for, besides what was written. */
  room(): Promise<number>
}

/** Of a medium whose server does not tell its size, the room is looked at again after so much. */
const LOOK_EVERY_BYTES = 16 * 1024 ** 2

/**
 * Reads a medium once, reporting progress; copies it, if it is to be. Throws `storage_full` when
 * there is no room for the copy.
 */
export async function digestOf(
  { body, sizeBytes: total }: { body: AsyncIterable<Buffer>; sizeBytes: number | null },
  tools: StepTools,
  into?: Copy,
): Promise<Digested> {
  const hashes = [createHash('sha256'), createHash('sha512')] as const
  const head: Buffer[] = []
  let sizeBytes = 0
  let reportedMs = 0
  let allowed = 0
  const report = (percent: number | null) =>
    tools.progress(
      percent,
      total ? `${mib(sizeBytes)} of ${mib(total)} MiB` : `${mib(sizeBytes)} MiB`,
    )
  for await (const part of body) {
    for (const hash of hashes) hash.update(part)
    if (sizeBytes < HEADER_BYTES) head.push(part)
    sizeBytes += part.length
    if (sizeBytes > MEDIUM_BYTES_MAX)
      throw new Permanent('medium_invalid', 'It is larger than 64 GiB')
    if (into) {
      if (part.length > allowed) allowed = Math.min(await into.room(), LOOK_EVERY_BYTES)
      if (part.length > allowed) throw noRoom()
      allowed -= part.length
      await into.file.write(part)
    }
    if (performance.now() - reportedMs < REPORT_EVERY_MS) continue
    reportedMs = performance.now()
    await report(total ? Math.min(99, Math.floor((sizeBytes * 100) / total)) : null)
  }
  if (total !== null && sizeBytes !== total) throw new Error('it ended too early')
  // Make sure that the last reported progress is 100.
  await report(100)
  const header = Buffer.concat(head).subarray(0, HEADER_BYTES)
  return { sizeBytes, sha256: hashes[0].digest('hex'), sha512: hashes[1].digest('hex'), header }
}

export const noRoom = (): Permanent =>
  new Permanent('storage_full', 'There is no room for it where the control plane keeps media')

const mib = (bytes: number): number => Math.ceil(bytes / 1_048_576)
