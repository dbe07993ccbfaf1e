import { isDeepStrictEqual } from 'node:util'
import { type BuiltInTemplate, builtInTemplates } from '@lodge/shared/templates/builtin/all.ts'
import type { Ctx } from '../../context.ts'
import { insertTemplate, lockTemplate, storeDocument } from './store.ts'
import { sameRuntime } from './templates.ts'

export interface Seeded {
  readonly added: number
  readonly upgraded: number
}

/**
 * Installs the built-in templates: adds missing ones and updates those of an older Lodge, as a new
 * version if servers would differ. One edited by an administrator has become a custom template and
 * is left alone. Several instances may run this at once.
 */
export async function seedBuiltInTemplates(
  ctx: Ctx,
  builtIns: readonly BuiltInTemplate[] = builtInTemplates(),
): Promise<Seeded> {
  let added = 0
  let upgraded = 0
  for (const { uuid, document, featured = false } of builtIns) {
    const { name, description } = document
    await ctx.transaction(async (ctx) => {
      const row = await lockTemplate(ctx.db, uuid)
      if (!row) {
        const fresh = {
          id: uuid,
          name,
          description,
          origin: 'builtin' as const,
          document,
          featured,
        }
        if (await insertTemplate(ctx.db, fresh)) added++
        return
      }
      const now: unknown = JSON.parse(JSON.stringify(document))
      if (row.origin !== 'builtin' || isDeepStrictEqual(row.document, now)) return
      const version = sameRuntime(row.document, document) ? row.version : row.version + 1
      await storeDocument(ctx.db, row, { document, version })
      upgraded++
    })
  }
  return { added, upgraded }
}
