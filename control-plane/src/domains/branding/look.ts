import {
  type Branding,
  DEFAULT_BRANDING,
  IMAGE_KINDS,
  type PublicBranding,
} from '@lodge/shared/branding.ts'
import type { Db } from '../../db/database.ts'
import { newestVersion } from './store.ts'

/** A look as it is shown. */
export interface Look {
  /** Which version it is, among all of every database; null before anybody has changed it. */
  readonly versionId: string | null
  /** 0 before anybody has changed it. */
  readonly revision: number
  readonly branding: Branding
}

/** The look of the panel now, whichever instance saved it. */
export async function currentLook(db: Db): Promise<Look> {
  const row = await newestVersion(db)
  return row
    ? {
        versionId: row.id,
        revision: row.revision,
        branding: { ...DEFAULT_BRANDING, ...row.document },
      }
    : { versionId: null, revision: 0, branding: DEFAULT_BRANDING }
}

/**
 * Keeps what is made of a look for as long as that version is shown: a version never changes, and
 * who has saved another one is seen by its id.
 */
export function keptByVersion<Made>(make: (branding: Branding) => Made): (look: Look) => Made {
  let kept: { readonly of: string | null; readonly made: Made } | undefined
  return ({ versionId, branding }) => {
    if (kept?.of !== versionId) kept = { of: versionId, made: make(branding) }
    return kept.made
  }
}

/** What everybody may see of it. */
export function publicLook(branding: Branding): PublicBranding {
  const { name, tagline, colors, mode, radius, login, links, legal, supportEmail } = branding
  const images = Object.fromEntries(
    IMAGE_KINDS.map((kind) => [kind, addressOf(kind, branding.images[kind])]),
  ) as PublicBranding['images']
  return { name, tagline, colors, mode, radius, images, login, links, legal, supportEmail }
}

/** The address of an image; the digest in it changes with the image. */
const addressOf = (kind: string, sha: string | null): string | null =>
  sha === null ? null : `/api/branding/assets/${kind}?v=${sha.slice(0, 12)}`
