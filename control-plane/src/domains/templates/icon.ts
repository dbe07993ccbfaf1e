import { createHash } from 'node:crypto'
import type { TemplateDocument } from '@lodge/shared/templates/document.ts'
import { pictureOf } from '@lodge/shared/templates/icon.ts'

/** Names the contents of a picture. */
export const digestOf = (icon: string): string =>
  createHash('sha256').update(icon).digest('hex').slice(0, 16)

/**
 * What the panel shows for a document: the name of a picture of the set, or the address of its own.
 * The address changes with the picture, so browsers keep it for good.
 */
export function shownIcon(id: string, { icon }: Pick<TemplateDocument, 'icon'>): string | null {
  if (icon === undefined) return null
  return pictureOf(icon) ? `/api/templates/${id}/icon/${digestOf(icon)}` : icon
}
