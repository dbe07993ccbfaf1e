import { randomUUIDv7 } from 'node:crypto'
import {
  type Attachment,
  type AttachmentForm,
  AttachmentName,
  MAX_ATTACHMENT_BYTES,
  MAX_ATTACHMENTS,
} from '@lodge/shared/attachments.ts'
import type { z } from 'zod'
import type { User } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import type { Exchange } from '../../http/endpoint.ts'
import { invalid } from '../../http/input.ts'
import { savedAs } from '../../http/saved-as.ts'
import { notFound, Problem } from '../../problem.ts'
import { judged, notAllowed } from './judged.ts'
import { OWNER } from './owner.ts'
import { awaitPreview } from './previews/previews.ts'
import { awaitScan, requireClean } from './scan.ts'
import { judgeOfFile } from './sniff.ts'
import * as store from './store.ts'
import type { AttachmentRow } from './tables.ts'

/** An attachment as people see it. */
export const describe = (row: store.ScannedRow): Attachment => {
  const { id, name, type, sizeBytes, scan, scanWhy } = row
  return { id, name, type, sizeBytes, scan, scanWhy, preview: previewOf(row) }
}

function previewOf({ preview }: store.ScannedRow): Attachment['preview'] {
  if (preview === null) return { state: 'none' }
  const { state, width, height } = preview
  if (state !== 'made') return { state }
  return width === null || height === null ? { state: 'none' } : { state, width, height }
}

/**
 * Attaches uploaded files to a message, in the message's transaction. Of files with identical bytes
 * only the first is kept.
 * @throws {Problem} validation_failed if one is not the caller's or was sent already;
 * attachment_infected
 */
export async function sendWith(
  ctx: Ctx<User>,
  ids: readonly string[],
  message: { readonly kind: string; readonly id: string },
): Promise<void> {
  if (ids.length === 0) return
  const given = new Set(await store.claim(ctx.db, ids, ctx.actor.id, message))
  const at = ids.findIndex((id) => !given.has(id))
  if (at >= 0)
    throw invalid([{ pointer: `/attachments/${at}`, detail: 'is not a file that you uploaded' }])
  const sent = (await store.ofMessages(ctx.db, message.kind, [message.id])).get(message.id) ?? []
  for (const file of sent) if (file.scan === 'infected') requireClean(file)
  const repeated = sent.filter((file, at) => hasSame(sent.slice(0, at), file))
  if (repeated.length === 0) return
  await release(
    ctx,
    await store.deleteAll(
      ctx.db,
      repeated.map((file) => file.id),
    ),
  )
}

type Digested = Pick<AttachmentRow, 'sha256'>
const hasSame = (files: readonly Digested[], { sha256 }: Digested): boolean =>
  files.some((one) => one.sha256 === sha256)

/** A file whose bytes are stored before its message exists. */
export interface StoredFile {
  readonly name: string
  readonly type: AttachmentRow['type']
  readonly sizeBytes: number
  readonly sha256: string
}

/**
 * Stores the files of a message that came from outside, such as a mail, before its transaction.
 * @returns what was stored, and the names of the files that are not allowed or exceed the limits and
 * of duplicates
 */
export async function storeFiles(
  { blobs }: Pick<Ctx, 'blobs'>,
  files: readonly { readonly name: string; readonly bytes: Buffer }[],
): Promise<{ stored: StoredFile[]; leftOut: string[]; repeated: string[] }> {
  const [stored, leftOut, repeated]: [StoredFile[], string[], string[]] = [[], [], []]
  for (const { name, bytes } of files) {
    const mayBe = bytes.length <= MAX_ATTACHMENT_BYTES && stored.length < MAX_ATTACHMENTS
    const kept = mayBe ? await keepAllowed(blobs, bytes) : undefined
    if (!kept) leftOut.push(name)
    else if (hasSame(stored, kept)) repeated.push(name)
    else stored.push({ ...kept, name: fileName(name, stored.length + 1) })
  }
  return { stored, leftOut, repeated }
}

/**
 * Stores a file that arrives piece by piece, before the transaction of its message.
 * @throws {Problem} unsupported_media_type, payload_too_large, storage_full; conflict if it takes too
 * long
 */
export async function storeStream(
  { blobs }: Pick<Ctx, 'blobs'>,
  name: string,
  bytes: AsyncIterable<Uint8Array>,
  { maxBytes, endMs }: { readonly maxBytes: number; readonly endMs: number },
): Promise<StoredFile> {
  const judge = judgeOfFile()
  const blob = await blobs.put(judged(bytes, judge, endMs), { maxBytes })
  const type = judge.type()
  if (!type) throw notAllowed()
  return { ...blob, type, name: fileName(name, 1) }
}

/**
 * Bytes that are checked and hashed in one go: small enough that a large file does not block the
 * event loop.
 */
const PIECE_BYTES = 256 * 1024

/** @returns undefined if the type of the file is not allowed */
async function keepAllowed(
  blobs: Ctx['blobs'],
  bytes: Buffer,
): Promise<Omit<StoredFile, 'name'> | undefined> {
  const judge = judgeOfFile()
  try {
    const pieces = judged(piecesOf(bytes), judge)
    const blob = await blobs.put(pieces, { maxBytes: MAX_ATTACHMENT_BYTES })
    const type = judge.type()
    return type && { ...blob, type }
  } catch (error) {
    if (error instanceof Problem && error.code === 'unsupported_media_type') return undefined
    throw error
  }
}

function* piecesOf(bytes: Buffer): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES)
}

/** Strips folders and the characters that a header or a file system cannot hold. */
function fileName(given: string, number: number): string {
  const bare = given
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '')
    .split(/[/\\]/)
    .at(-1)
  return AttachmentName.safeParse(bare?.slice(-120)).data ?? `file-${number}`
}

/**
 * Attaches stored files to a message, in the message's transaction.
 * @param ownerId the account that the files count for, which has room for them; null for none
 */
export async function attachStored(
  ctx: Ctx,
  message: { readonly kind: string; readonly id: string },
  files: readonly StoredFile[],
  ownerId: string | null,
): Promise<void> {
  for (const { name, type, sizeBytes, sha256 } of files) {
    const id = randomUUIDv7()
    if (!(await ctx.blobs.refer(ctx.db, sha256, { kind: OWNER, id })))
      throw new Problem('conflict', 'A file was lost while it arrived: send it again')
    await store.insertAttachment(ctx.db, {
      ...{ id, uploaderId: ownerId, messageKind: message.kind, messageId: message.id },
      ...{ name, type, sizeBytes, sha256 },
    })
    await awaitScan(ctx, id)
    await awaitPreview(ctx, id)
  }
}

/** The files of messages, by message. */
export async function attachmentsOf(
  db: Db,
  kind: string,
  messageIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Attachment[]>> {
  const found = await store.ofMessages(db, kind, messageIds)
  return new Map([...found].map(([id, rows]) => [id, rows.map(describe)]))
}

/**
 * Sends a file as a download, or the preview of a picture to display: from a message, or one that the
 * caller has uploaded but not sent yet.
 * @param asked whose `mayRead` tells whether the caller may read this message
 * @throws {Problem} not_found, attachment_not_scanned, attachment_infected
 */
export async function sendAttachment(
  ctx: Ctx<User>,
  asked: {
    readonly id: string
    readonly kind: string
    readonly mayRead: (messageId: string) => Promise<boolean>
    readonly form: z.output<typeof AttachmentForm>
  },
  { reply }: Exchange,
): Promise<void> {
  const row = await store.findAttachment(ctx.db, asked.id)
  const { messageId = null } = row ?? {}
  // Until it is sent, only its uploader sees it.
  const mayRead =
    messageId === null
      ? row?.uploaderId === ctx.actor.id
      : row?.messageKind === asked.kind && (await asked.mayRead(messageId))
  if (!row || !mayRead) throw notFound('attachment')
  requireClean(row)
  const given = asked.form.preview === 'true' ? smallCopyOf(row) : itselfOf(row)
  const bytes = given && (await ctx.blobs.get(given.sha256))
  if (!bytes) throw notFound('attachment')
  await reply
    .headers(given.headers)
    .header('cache-control', 'private, no-store')
    .type(given.type)
    .send(bytes)
}

const itselfOf = ({ sha256, name, type, sizeBytes }: AttachmentRow) => ({
  sha256,
  type: type === 'text/plain' ? 'text/plain; charset=utf-8' : type,
  headers: { ...savedAs('attachment', name), 'content-length': sizeBytes },
})

/** Safe to display inline: none of its bytes are the sender's. */
const smallCopyOf = ({ preview, name }: store.ScannedRow) =>
  preview?.sha256
    ? {
        sha256: preview.sha256,
        type: 'image/webp',
        headers: savedAs('inline', `${name}.webp`),
      }
    : undefined

/** Deletes the files of messages that are deleted. */
export async function deleteAttachments(
  ctx: Ctx,
  kind: string,
  messageIds: readonly string[],
): Promise<void> {
  await release(ctx, await store.deleteOfMessages(ctx.db, kind, messageIds))
}

async function release(ctx: Ctx, rows: readonly AttachmentRow[]): Promise<number> {
  for (const { id } of rows) await ctx.blobs.release(ctx.db, { kind: OWNER, id })
  return rows.length
}
