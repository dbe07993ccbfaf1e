import { t } from './words.ts'

const SIDE = 128

/**
 * Converts a picture to a small PNG. The browser draws it, so only pixels are stored: scripts, links
 * and metadata of an SVG are dropped.
 * @throws when the file is too large or no picture
 */
export async function asPicture(file: Blob, bytesMax: number): Promise<string> {
  if (file.size > bytesMax) throw new Error(t.pictureTooLarge)
  const url = URL.createObjectURL(file)
  try {
    const image = new Image()
    image.src = url
    await image.decode().catch(() => {
      throw new Error(t.notPicture)
    })
    return drawn(image)
  } finally {
    URL.revokeObjectURL(url)
  }
}

/** Centred in a transparent square, as large as fits. */
function drawn(image: HTMLImageElement): string {
  const canvas = document.createElement('canvas')
  canvas.width = SIDE
  canvas.height = SIDE
  // An SVG without a size of its own fills the square.
  const [width, height] = [image.naturalWidth || SIDE, image.naturalHeight || SIDE]
  const scale = SIDE / Math.max(width, height)
  const [wide, high] = [width * scale, height * scale]
  const context = canvas.getContext('2d')
  if (!context) throw new Error(t.cannotDraw)
  context.drawImage(image, (SIDE - wide) / 2, (SIDE - high) / 2, wide, high)
  return canvas.toDataURL('image/png')
}
