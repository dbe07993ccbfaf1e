import { randomUUIDv7 } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { type Branding, DEFAULT_BRANDING, KEPT_VERSIONS } from '@lodge/shared/branding.ts'
import type { User } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { lockScope } from '../../db/advisory-locks.ts'
import { invalid } from '../../http/input.ts'
import { notFound, Problem } from '../../problem.ts'
import { checkCss } from './custom-css.ts'
import { currentLook } from './look.ts'
import * as store from './store.ts'

interface Change {
  readonly branding: Branding
  readonly baseRevision?: number | undefined
  readonly reason: string
}

/**
 * Saves a look as a new version.
 * @throws {Problem} `revision_stale` if somebody has saved since `baseRevision`, `validation_failed`
 */
export const saveLook = (ctx: Ctx<User>, change: Change): Promise<void> =>
  ctx.transaction(async (ctx) => {
    const { branding, baseRevision, reason } = change
    await lockScope(ctx.db, 'branding')
    const before = await currentLook(ctx.db)
    const { revision } = before
    if (baseRevision !== undefined && baseRevision !== revision)
      throw new Problem(
        'revision_stale',
        'Somebody else has saved the look meanwhile: look at theirs, then save yours again',
        { fields: { revision } },
      )
    checkCss(branding.customCss)
    const missing = await store.missingImages(ctx.db, branding.images)
    if (missing.length > 0)
      throw invalid(
        missing.map((kind) => ({
          pointer: `/branding/images/${kind}`,
          detail: 'is not there any more: upload it again',
        })),
      )
    const id = randomUUIDv7()
    await store.insertVersion(ctx.db, {
      revision: revision + 1,
      id,
      document: branding,
      author: ctx.actor.email,
      reason,
    })
    await store.deleteVersions(ctx.db, revision + 1 - KEPT_VERSIONS)
    if (!isDeepStrictEqual(branding.announcement, before.branding.announcement))
      await ctx.live.announce(ctx.db, { kind: 'announcement', id })
  })

/** Makes an earlier version the newest one. */
export async function restoreLook(ctx: Ctx<User>, id: string): Promise<void> {
  const row = await store.findVersion(ctx.db, id)
  if (!row) throw notFound('version')
  await saveLook(ctx, {
    branding: { ...DEFAULT_BRANDING, ...row.document },
    reason: `Restored version ${row.revision}`,
  })
}

export const resetLook = (ctx: Ctx<User>): Promise<void> =>
  saveLook(ctx, { branding: DEFAULT_BRANDING, reason: 'Returned to the default look' })
