import { createHash } from 'node:crypto'
import type { TemplateDocument } from '@lodge/shared/templates/document.ts'
import { pictureOf } from '@lodge/shared/templates/icon.ts'

/** Names the contents of a picture. */
export const digestOf = (icon: string): string =>
  createHash('sha256').update(icon).digest('hex').slice(0, 16)

/**
 * The icon of a document for the panel: the name of a picture in the set, or the URL of its own. The
 * URL changes with the picture, so browsers may cache it for ever.
 */
export function shownIcon(id: string, { icon }: Pick<TemplateDocument, 'icon'>): string | null {
  if (icon === undefined) return null
  return pictureOf(icon) ? `/api/templates/${id}/icon/${digestOf(icon)}` : icon
}
