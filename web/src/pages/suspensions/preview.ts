import type { Attachment } from '@lodge/shared/attachments.ts'

type Made = Extract<Attachment['preview'], { state: 'made' }>
/** A picture with a preview. */
export type ShownPicture = Attachment & { readonly preview: Made }

export const isShown = (file: Attachment): file is ShownPicture => file.preview.state === 'made'

export const previewAddress = (folder: string, id: string): string => `${folder}/${id}?preview=true`

/** The maximum size of a preview in a conversation, pixels. */
const [MOST_WIDE, MOST_HIGH] = [240, 180]

/** The size of a preview in a conversation, so that its space is reserved before it loads. */
export function thumbnailSize({ width, height }: Made): { width: number; height: number } {
  const scale = Math.min(1, MOST_WIDE / width, MOST_HIGH / height)
  const scaled = (pixels: number) => Math.max(1, Math.round(pixels * scale))
  return { width: scaled(width), height: scaled(height) }
}
