import { randomUUIDv7 } from 'node:crypto'
import type { Readable } from 'node:stream'
import {
  type Attachment,
  type AttachmentUpload,
  MAX_ATTACHMENT_BYTES,
  MAX_UNSENT_BYTES,
} from '@lodge/shared/attachments.ts'
import type { z } from 'zod'
import type { User } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { requireFree } from '../../db/cap.ts'
import type { Exchange } from '../../http/endpoint.ts'
import { streamBody } from '../../http/raw-body.ts'
import { notFound, Problem } from '../../problem.ts'
import { describe } from './attachments.ts'
import { unsentBytes, unsentCap } from './cap-store.ts'
import { judged, notAllowed } from './judged.ts'
import { OWNER } from './owner.ts'
import { awaitPreview } from './previews/previews.ts'
import { requireRoom } from './room.ts'
import { awaitScan } from './scan.ts'
import { judgeOfFile } from './sniff.ts'
import * as store from './store.ts'
import type { AttachmentRow } from './tables.ts'

const MIB = 1024 * 1024
/** An upload that takes longer is ended, so that its place becomes free. */
const LONGEST_UPLOAD_SECONDS = 3600

/** The body of an endpoint that uploads a file for a message to be sent later. */
export const attachmentBody = streamBody({
  maxBytes: MAX_ATTACHMENT_BYTES,
  contentTypes: ['application/octet-stream'],
})

/**
 * Stores a file that somebody is going to send with a message, piece by piece as it arrives. Its
 * place is reserved first, in number and size, so that concurrent uploads cannot exceed the limit
 * together; an upload that breaks off leaves nothing. The type is detected from the content.
 * @returns the stored file, or an unsent one of the same person with identical bytes
 * @throws {Problem} unsupported_media_type, payload_too_large, limit_exceeded, conflict, storage_full
 */
export async function keepAttachment(
  ctx: Ctx<User>,
  { name, beside }: z.output<typeof AttachmentUpload>,
  bytes: Readable,
  { request }: Pick<Exchange, 'request'>,
): Promise<Attachment> {
  const arrivalId = await takePlace(ctx, announced(request.headers['content-length']))
  try {
    const judge = judgeOfFile()
    const endMs = Date.now() + LONGEST_UPLOAD_SECONDS * 1000
    const { sha256, sizeBytes } = await ctx.blobs.put(judged(bytes, judge, endMs), {
      maxBytes: MAX_ATTACHMENT_BYTES,
    })
    const type = judge.type()
    if (!type) throw notAllowed()
    return await ctx.transaction(async (ctx) => {
      const id = randomUUIDv7()
      const hasPlace = await store.endArrival(ctx.db, arrivalId)
      const same = await store.findSame(ctx.db, { ids: beside, uploaderId: ctx.actor.id, sha256 })
      if (same) return describe(same)
      if (!hasPlace || !(await ctx.blobs.refer(ctx.db, sha256, { kind: OWNER, id })))
        throw new Problem('conflict', 'The file was lost while it arrived: send it again')
      const given = { id, uploaderId: ctx.actor.id, name, type, sizeBytes, sha256 }
      await store.insertAttachment(ctx.db, given)
      await awaitScan(ctx, id)
      await awaitPreview(ctx, id)
      const kept = await store.findAttachment(ctx.db, id)
      if (!kept) throw notFound('attachment')
      return describe(kept)
    })
  } catch (error) {
    await store.endArrival(ctx.db, arrivalId)
    throw error
  }
}

/** The most bytes that the body can have. */
function announced(length: string | undefined): number {
  const bytes = Number(length)
  return length !== undefined && bytes <= MAX_ATTACHMENT_BYTES ? bytes : MAX_ATTACHMENT_BYTES
}

const takePlace = (ctx: Ctx<User>, sizeBytes: number): Promise<string> =>
  ctx.transaction(async (ctx) => {
    const { db, actor } = ctx
    await requireRoom(ctx, actor.id, sizeBytes)
    await requireFree(db, unsentCap, actor.id)
    if ((await unsentBytes(db, actor.id)) + sizeBytes > MAX_UNSENT_BYTES)
      throw new Problem(
        'payload_too_large',
        `Files that were not sent may take ${MAX_UNSENT_BYTES / MIB} MiB together: send a message with some of them first`,
      )
    const id = randomUUIDv7()
    await store.insertArrival(db, { id, uploaderId: actor.id, sizeBytes })
    return id
  })

/**
 * Deletes files that were uploaded and not sent within a day, and frees the places of uploads that
 * broke off.
 */
export const deleteUnsent = (ctx: Ctx): Promise<number> =>
  ctx.transaction(async (ctx) => {
    await store.endStaleArrivals(ctx.db, LONGEST_UPLOAD_SECONDS + 600)
    const rows: AttachmentRow[] = await store.deleteUnsent(ctx.db)
    for (const { id } of rows) await ctx.blobs.release(ctx.db, { kind: OWNER, id })
    return rows.length
  })
