import { readFile } from 'node:fs/promises'
import type { Picture } from './viewer.ts'

/** The BIOS of the emulated VGA card, which contains the font of text screens. */
const VGA_PROGRAM = '/usr/share/seabios/vgabios-stdvga.bin'
const CELL = { width: 9, height: 16 }
const COLUMNS = 80
const ROWS = 25
const PRINTABLE = { first: 0x20, last: 0x7e }

/** Recognizes text in pictures of an 80 by 25 VGA text screen. */
export interface TextReader {
  /** Returns 25 lines; unknown characters become U+FFFD. Throws for another screen size. */
  read(picture: Picture): string
}

/** Throws when the font is not where QEMU's firmware should have it. */
export async function textReader(): Promise<TextReader> {
  const program = await readFile(VGA_PROGRAM)
  // The second character of code page 437 is a smiley; the first is blank.
  const face = Buffer.from('00007e81a58181bd9981817e00000000', 'hex')
  const font = program.indexOf(face) - CELL.height
  if (font < 0) throw new Error(`there are no letters in ${VGA_PROGRAM}`)
  const letters = new Map<string, string>()
  for (let code = PRINTABLE.first; code <= PRINTABLE.last; code += 1) {
    const at = font + code * CELL.height
    letters.set(program.toString('hex', at, at + CELL.height), String.fromCharCode(code))
  }
  return {
    read(picture) {
      if (picture.width !== COLUMNS * CELL.width || picture.height !== ROWS * CELL.height)
        throw new Error(`no screen of letters: ${picture.width}x${picture.height}`)
      const lines = Array.from({ length: ROWS }, (_, row) =>
        Array.from({ length: COLUMNS }, (_, column) => {
          return letters.get(shapeAt(picture, column, row)) ?? '\ufffd'
        }).join(''),
      )
      return lines.join('\n')
    },
  }
}

/**
 * The shape in a cell as the font encodes it: one bit per pixel that differs from the background.
 */
function shapeAt({ pixels, width }: Picture, column: number, row: number): string {
  const shape = Buffer.alloc(CELL.height)
  for (let y = 0; y < CELL.height; y += 1) {
    const from = (row * CELL.height + y) * width + column * CELL.width
    // The ninth column is always background.
    const ground = pixels[from + CELL.width - 1]
    let bits = 0
    for (let x = 0; x < CELL.width - 1; x += 1)
      bits = (bits << 1) | (pixels[from + x] === ground ? 0 : 1)
    shape.writeUInt8(bits, y)
  }
  return shape.toString('hex')
}
