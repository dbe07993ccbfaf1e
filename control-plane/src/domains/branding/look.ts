import {
  type Branding,
  DEFAULT_BRANDING,
  IMAGE_KINDS,
  type PublicBranding,
} from '@lodge/shared/branding.ts'
import type { Db } from '../../db/database.ts'
import { newestVersion } from './store.ts'

/** The look of the panel and its revision; 0 before anybody has changed it. */
export async function currentLook(db: Db): Promise<{ revision: number; branding: Branding }> {
  const row = await newestVersion(db)
  return row
    ? { revision: row.revision, branding: { ...DEFAULT_BRANDING, ...row.document } }
    : { revision: 0, branding: DEFAULT_BRANDING }
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
