import { randomUUIDv7 } from 'node:crypto'
import { readdir, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { UploadVmMedium, VmMedium } from '@lodge/shared/vms.ts'
import { FileStore } from '@tus/file-store'
import { MemoryLocker, Server, Upload } from '@tus/server'
import { type Ctx, contextFor } from '../../../context.ts'
import type { Exchange } from '../../../http/endpoint.ts'
import { periodicTask } from '../../../jobs/periodic-task.ts'
import { Problem } from '../../../problem.ts'
import type { Services } from '../../../services.ts'
import * as store from '../store.ts'
import type { MediumRow } from '../tables.ts'
import { checkMedium } from './check-medium.ts'
import {
  arrivingFile,
  arrivingFolder,
  dropArriving,
  dropKept,
  makeFolders,
  roomForMedia,
  sizeOf,
} from './folder.ts'
import { describeMedium, duplicateOf } from './media.ts'

const MOST_UNFINISHED = 20
/** An upload not continued for this long is discarded. */
const ABANDONED_MS = 7 * 24 * 3_600_000
const ORPHANED_MS = 3_600_000

/** Serialises writes to a file. */
const locker = new MemoryLocker()

/** Announces a medium that a browser will send; its bytes follow in the tus protocol. */
export async function announceUpload(ctx: Ctx, given: UploadVmMedium): Promise<VmMedium> {
  const id = randomUUIDv7()
  await makeFolders(ctx)
  try {
    return await ctx.transaction(async (ctx) => {
      // Concurrent announcements share the available space.
      await store.lockMedia(ctx.db)
      await store.deleteFailedMedium(ctx.db, given.name)
      const unfinished = await store.unfinishedUploads(ctx.db)
      if (unfinished.length >= MOST_UNFINISHED)
        throw new Problem(
          'limit_exceeded',
          `${MOST_UNFINISHED} uploads are unfinished already: finish or delete one of them first`,
          { fields: { limit: MOST_UNFINISHED, used: unfinished.length } },
        )
      const room = await roomForMedia(ctx)
      if (given.sizeBytes > room)
        throw new Problem(
          'storage_full',
          `The control plane has room for ${gib(room)} GiB of media and this one has ${gib(given.sizeBytes)}: delete others, or let media take more by LODGE_MEDIA_GIB or on another disk by LODGE_MEDIA`,
        )
      await writeFile(arrivingFile(ctx, id), '', { mode: 0o600 })
      const row = await store.insertMedium(ctx.db, { id, ...given, state: 'uploading' })
      return describeMedium(row, true, 0)
    })
  } catch (error) {
    await dropArriving(ctx, id)
    throw duplicateOf(error)
  }
}

const gib = (bytes: number): string => (bytes / 1024 ** 3).toFixed(1)

function requireUploading(row: MediumRow): void {
  if (row.state === 'uploading') return
  throw new Problem('invalid_state', 'Nothing is expected for this medium: it was uploaded already')
}

/** Progress of an upload, in tus headers too. */
export async function uploadState(
  ctx: Ctx,
  row: MediumRow,
  { reply }: Exchange,
): Promise<{ offset: number; sizeBytes: number }> {
  requireUploading(row)
  const offset = (await sizeOf(arrivingFile(ctx, row.id))) ?? 0
  const sizeBytes = row.sizeBytes ?? 0
  reply
    .header('tus-resumable', '1.0.0')
    .header('upload-offset', offset)
    .header('upload-length', sizeBytes)
  return { offset, sizeBytes }
}

/** Receives the next part of an upload in the tus protocol. */
export async function receiveUpload(ctx: Ctx, row: MediumRow, http: Exchange): Promise<void> {
  requireUploading(row)
  const { request, reply } = http
  const server = new Server({
    path: '/',
    locker,
    allowedOrigins: () => false,
    getFileIdFromRequest: () => row.id,
    datastore: new FileStore({
      directory: arrivingFolder(ctx),
      // All state is in the row and the file; tus stores none of its own.
      configstore: {
        get: async () => new Upload({ id: row.id, offset: 0, size: row.sizeBytes ?? 0 }),
        set: async () => {},
        delete: async () => {},
      },
    }),
  })
  reply.hijack()
  reply.raw.setHeader('x-request-id', request.id)
  reply.raw.setHeader('x-content-type-options', 'nosniff')
  await server.handle(request.raw, reply.raw)
  await finishUpload(ctx, row)
}

/** Starts the verification once the upload is complete. */
async function finishUpload(ctx: Ctx, { id, name, sizeBytes }: MediumRow): Promise<boolean> {
  if ((await sizeOf(arrivingFile(ctx, id))) !== sizeBytes) return false
  return ctx.transaction(async (ctx) => {
    const row = await store.lockMedium(ctx.db, id)
    // Two requests, or a request and the periodic task, may see the upload complete.
    if (row?.state !== 'uploading') return false
    const title = `Check the medium ${name}` as const
    const job = await ctx.jobs.sagas.enqueue(ctx, checkMedium, { mediumId: id }, { title })
    await store.updateMedium(ctx.db, id, { state: 'checking', jobId: job.id })
    return true
  })
}

/** Resumes after a crash, and discards abandoned uploads. */
async function tidyUploads(services: Services): Promise<{ finished: number; removed: number }> {
  const ctx = contextFor(services, { kind: 'system' } as const)
  let [finished, removed] = [0, 0]
  for (const row of await store.unfinishedUploads(ctx.db)) {
    if (await finishUpload(ctx, row)) finished++
    const file = await stat(arrivingFile(ctx, row.id)).catch(() => null)
    const touched = file?.mtimeMs ?? row.createdAt.getTime()
    if (Date.now() - touched < ABANDONED_MS) continue
    if (await store.deleteUpload(ctx.db, row.id)) removed++
    await dropArriving(ctx, row.id)
  }
  return { finished, removed: removed + (await dropOrphans(ctx)) }
}

/** Files without a medium, left by a crash between the two deletions. */
async function dropOrphans(ctx: Ctx): Promise<number> {
  const { folder } = ctx.media
  const known = await store.filesOfMedia(ctx.db)
  const found = [
    ...(await oldIn(folder)).filter((name) => /^[0-9a-f]{64}$/.test(name)),
    ...(await oldIn(arrivingFolder(ctx))),
  ].filter((name) => !known.has(name))
  for (const name of found) {
    if (name.length === 64) await dropKept(ctx, name)
    else await dropArriving(ctx, path.basename(name))
  }
  return found.length
}

async function oldIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  const old = names.map(async (name) => {
    const facts = await stat(path.join(folder, name)).catch(() => null)
    return facts?.isFile() && Date.now() - facts.ctimeMs > ORPHANED_MS ? [name] : []
  })
  return (await Promise.all(old)).flat()
}

export const uploadTask = periodicTask('virtualization.uploads', 30, tidyUploads)
