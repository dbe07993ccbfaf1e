const SIDE = 128

/**
 * A picture as a small PNG. The browser draws it, so what is stored is pixels only: scripts, links
 * and metadata of an SVG stay behind.
 * @throws when the file is too large or no picture
 */
export async function asPicture(file: Blob, bytesMax: number): Promise<string> {
  if (file.size > bytesMax) throw new Error('The file is larger than 1 MiB: choose a smaller one')
  const url = URL.createObjectURL(file)
  try {
    const image = new Image()
    image.src = url
    await image.decode().catch(() => {
      throw new Error('This file is not a picture that the browser can draw')
    })
    return drawn(image)
  } finally {
    URL.revokeObjectURL(url)
  }
}

/** In the middle of a transparent square, as large as it fits. */
function drawn(image: HTMLImageElement): string {
  const canvas = document.createElement('canvas')
  canvas.width = SIDE
  canvas.height = SIDE
  // An SVG without a size of its own fills the square.
  const [width, height] = [image.naturalWidth || SIDE, image.naturalHeight || SIDE]
  const scale = SIDE / Math.max(width, height)
  const [wide, high] = [width * scale, height * scale]
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser cannot draw pictures')
  context.drawImage(image, (SIDE - wide) / 2, (SIDE - high) / 2, wide, high)
  return canvas.toDataURL('image/png')
}
