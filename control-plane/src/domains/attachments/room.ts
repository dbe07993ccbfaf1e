import type { Ask } from '@lodge/shared/limits/check.ts'
import type { Ctx } from '../../context.ts'
import { notFound, Problem } from '../../problem.ts'
import { lockOwner } from '../customers/index.ts'
import { attachedBytesOf, quotaOf, requireQuota } from '../limits/index.ts'
import { setOwner } from './store.ts'

const MIB = 1024 * 1024

/**
 * Makes an account the owner of a file that had none, so that the file counts for them from now on,
 * even beyond their limit: files are never taken away.
 * @returns false if the account or the file is gone, or the file has an owner already
 */
export const giveOwner = (ctx: Ctx, fileId: string, ownerId: string): Promise<boolean> =>
  ctx.transaction(async ({ db }) => {
    const owner = await lockOwner(db, ownerId)
    return owner !== undefined && (await setOwner(db, fileId, ownerId))
  })

/** Limits are in MiB. Rounds up the sum, not each file, so that the last byte decides. */
function askFor(presentBytes: number, sizeBytes: number): Ask {
  const requested = Math.ceil(sizeBytes / MIB)
  const used = Math.ceil((presentBytes + sizeBytes) / MIB) - requested
  return { key: 'maxAttachedFilesMb', used, requested }
}

/**
 * Refuses a file that an account has no room for. Locks the account's row until the transaction ends,
 * in which the caller takes the room.
 * @throws {Problem} limit_exceeded
 */
export async function requireRoom(ctx: Ctx, ownerId: string, sizeBytes: number): Promise<void> {
  const owner = await lockOwner(ctx.db, ownerId)
  if (!owner) throw notFound('account')
  const present = await attachedBytesOf(ctx.db, ownerId)
  try {
    await requireQuota(ctx, owner, () => [askFor(present, sizeBytes)])
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'limit_exceeded') throw error
    throw new Problem(
      'limit_exceeded',
      `${error.message}: send a smaller file, or ask your host for a higher limit`,
      { fields: error.fields },
    )
  }
}

/**
 * Splits files, in their order, into those that an account has room for and the rest. Locks the
 * account's row as `requireRoom` does. Without an account all have room.
 */
export async function filesWithRoom<Given extends { readonly sizeBytes: number }>(
  ctx: Ctx,
  ownerId: string | null,
  files: readonly Given[],
): Promise<{ kept: Given[]; leftOut: Given[] }> {
  if (ownerId === null || files.length === 0) return { kept: [...files], leftOut: [] }
  const owner = await lockOwner(ctx.db, ownerId)
  if (!owner) return { kept: [...files], leftOut: [] }
  const quota = await quotaOf(ctx, owner)
  let present = await attachedBytesOf(ctx.db, ownerId)
  const [kept, leftOut]: [Given[], Given[]] = [[], []]
  for (const file of files) {
    const hasRoom = await quota.admits(() => [askFor(present, file.sizeBytes)])
    if (hasRoom) present += file.sizeBytes
    const where = hasRoom ? kept : leftOut
    where.push(file)
  }
  return { kept, leftOut }
}
