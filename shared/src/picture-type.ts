export type PictureType = 'png' | 'jpeg' | 'gif' | 'webp'

/**
 * What a picture is by its content, whatever its sender says.
 * @param bytes at least the first twelve, one character each (latin1)
 */
export function pictureType(bytes: string): PictureType | undefined {
  if (bytes.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (bytes.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (bytes.startsWith('GIF87a') || bytes.startsWith('GIF89a')) return 'gif'
  if (bytes.startsWith('RIFF') && bytes.startsWith('WEBP', 8)) return 'webp'
  return undefined
}
