import { Readable } from 'node:stream'
import type { Blob } from '../../../blobs/blob.ts'
import { type Ctx, contextFor } from '../../../context.ts'
import { watcher } from '../../../jobs/periodic-task.ts'
import type { Services } from '../../../services.ts'
import { OWNER } from '../owner.ts'
import { type Drawn, drawPreview } from './draw.ts'
import * as store from './preview-store.ts'

/** After this many attempts without a result, a picture stays without a preview. */
const MOST_ATTEMPTS = 3

/** The dimensions and the stored copy. */
type Kept = Pick<Drawn, 'width' | 'height'> & Pick<Blob, 'sha256'>

/** Queues the preview of a file in the transaction that makes the file visible. */
export const awaitPreview = (ctx: Ctx, attachmentId: string): Promise<void> =>
  store.insertPreview(ctx.db, attachmentId)

/**
 * Draws the previews of pictures. One whose drawing was cut off by the end of a control plane is due
 * again.
 */
export const drawPreviews = watcher(
  'attachments.preview',
  store.ANY_DUE,
  async (services, stopped = new AbortController().signal) => {
    const due = await store.takeDue(services.db)
    const settled = await Promise.all(due.map((file) => drawOne(services, file, stopped)))
    return { drawn: settled.filter(Boolean).length }
  },
)

/** @returns whether the result is final */
async function drawOne(
  services: Services,
  file: store.DuePreview,
  stopped: AbortSignal,
): Promise<boolean> {
  try {
    // Attempts count when they begin: a control plane that died while drawing reported nothing.
    const isGivenUp = file.attempts > MOST_ATTEMPTS
    const kept = isGivenUp ? undefined : await keepDrawn(services, file.sha256, stopped)
    await settle(services, file, kept)
    return true
  } catch (error) {
    if (stopped.aborted) return false
    services.log.warn({ err: error, attachment: file.id }, 'a preview was not drawn')
    // Otherwise it stays claimed: it is due again when the claim expires.
    if (file.attempts < MOST_ATTEMPTS) return false
    await settle(services, file, undefined)
    return true
  }
}

/** @returns undefined if the picture can have no preview */
async function keepDrawn(
  { blobs }: Pick<Services, 'blobs'>,
  sha256: string,
  stopped: AbortSignal,
): Promise<Kept | undefined> {
  const picture = await blobs.get(sha256)
  if (!picture) throw new Error('the bytes of a picture are gone')
  const drawn = await drawPreview(picture, { stopped })
  if (!drawn) return undefined
  const { bytes, width, height } = drawn
  const blob = await blobs.put(Readable.from([bytes]), { maxBytes: bytes.length })
  return { sha256: blob.sha256, width, height }
}

/** The copy belongs to the owner of the file, so that it goes with it. */
const settle = (services: Services, { id }: store.DuePreview, kept: Kept | undefined) =>
  contextFor(services, { kind: 'system' }).transaction(async (ctx) => {
    // Locks the file first, in the order of a deletion, to prevent deadlocks.
    const file = await store.holdAttachment(ctx.db, id)
    if (!file) return
    if (kept && !(await ctx.blobs.refer(ctx.db, kept.sha256, { kind: OWNER, id })))
      throw new Error('a preview was lost before it was kept')
    const outcome = kept ? { state: 'made' as const, ...kept } : { state: 'impossible' as const }
    if (!(await store.settle(ctx.db, id, outcome))) return
    const { messageKind, messageId } = file
    if (messageKind && messageId) await ctx.emit('attachment.previewed', { messageKind, messageId })
  })
