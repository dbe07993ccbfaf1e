import { isDeepStrictEqual } from 'node:util'
import {
  type AdminBranding,
  type Branding,
  DEFAULT_BRANDING,
  KEPT_VERSIONS,
  MAX_CSS_CHARACTERS,
  MAX_IMAGE_BYTES,
  MAX_IMAGE_PIXELS,
} from '@lodge/shared/branding.ts'
import type { Ctx } from '../../context.ts'
import { notFound } from '../../problem.ts'
import { currentLook } from './look.ts'
import { reportOn } from './report.ts'
import * as store from './store.ts'
import type { BrandingVersionRow } from './tables.ts'

/** The look with everything that its editor needs. */
export async function showEditor(ctx: Ctx): Promise<AdminBranding> {
  const { revision, branding } = await currentLook(ctx.db)
  const rows = await store.listVersions(ctx.db)
  return {
    revision,
    branding,
    report: reportOn(branding),
    history: rows.map((row, at) => describe(row, rows[at + 1])),
    limits: {
      imageBytes: MAX_IMAGE_BYTES,
      imagePixels: MAX_IMAGE_PIXELS,
      cssCharacters: MAX_CSS_CHARACTERS,
      versions: KEPT_VERSIONS,
    },
  }
}

export async function showVersion(ctx: Ctx, id: string) {
  const rows = await store.listVersions(ctx.db)
  const at = rows.findIndex((row) => row.id === id)
  const row = rows[at]
  if (!row) throw notFound('version')
  return { ...describe(row, rows[at + 1]), branding: { ...DEFAULT_BRANDING, ...row.document } }
}

const describe = (row: BrandingVersionRow, before: BrandingVersionRow | undefined) => ({
  id: row.id,
  revision: row.revision,
  author: row.author,
  reason: row.reason,
  createdAt: row.createdAt.toISOString(),
  changed: changesOf(row.document, before?.document ?? DEFAULT_BRANDING),
})

/** The names of the parts in which two looks differ. */
function changesOf(now: Branding, before: Branding): string[] {
  const names = Object.keys(DEFAULT_BRANDING) as (keyof Branding)[]
  return names.filter((name) => !isDeepStrictEqual(now[name], before[name]))
}
