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
  /** The id of the version, unique across databases; null before the first change. */
  readonly versionId: string | null
  /** 0 before the first change. */
  readonly revision: number
  readonly branding: Branding
}

/** The current look, whichever instance saved it. */
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
 * Caches a value derived from the look for as long as that version is current: versions never change,
 * and a new one has a new id.
 */
export function keptByVersion<Made>(make: (branding: Branding) => Made): (look: Look) => Made {
  let kept: { readonly of: string | null; readonly made: Made } | undefined
  return ({ versionId, branding }) => {
    if (kept?.of !== versionId) kept = { of: versionId, made: make(branding) }
    return kept.made
  }
}

/** The public part of a look. */
export function publicLook(branding: Branding): PublicBranding {
  const { name, tagline, colors, mode, radius, login, links, legal, supportEmail } = branding
  const images = Object.fromEntries(
    IMAGE_KINDS.map((kind) => [kind, addressOf(kind, branding.images[kind])]),
  ) as PublicBranding['images']
  return { name, tagline, colors, mode, radius, images, login, links, legal, supportEmail }
}

/** The URL of an image; the digest in it changes with the image. */
const addressOf = (kind: string, sha: string | null): string | null =>
  sha === null ? null : `/api/branding/assets/${kind}?v=${sha.slice(0, 12)}`
