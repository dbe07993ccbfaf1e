import type { Paper } from './paper.ts'
import { GREY, PAGE, Pen, RIGHT } from './pen.ts'
import { registerTypeface } from './typefaces.ts'

const { margin } = PAGE
const MIDDLE = PAGE.width / 2
const TEXT_WIDTH = RIGHT - margin - 110

/**
 * Renders the paper as a PDF, deterministically. Loads the library on first use, because most
 * installations never print anything.
 */
export async function drawPaper(paper: Paper): Promise<Buffer> {
  const { default: PDFDocument } = await import('pdfkit')
  const document = new PDFDocument({
    ...{ size: 'A4', font: null, margin: 0, lang: paper.language },
    info: { Title: `${paper.title} ${paper.number}`, CreationDate: paper.issuedAt },
  })
  const parts: Uint8Array[] = []
  document.on('data', (part: Uint8Array) => parts.push(part))
  const ended = new Promise((resolve) => document.once('end', resolve))
  registerTypeface(document)
  const pen = new Pen(document)
  head(pen, paper)
  rows(pen, paper)
  sums(pen, paper)
  for (const remark of paper.remarks) {
    pen.need(40)
    pen.y += pen.block(remark, margin, RIGHT - margin, { color: GREY }) + 4
  }
  document.end()
  await ended
  return Buffer.concat(parts)
}

function head(pen: Pen, { title, number, from, to, facts }: Paper): void {
  const top = pen.y
  pen.endingAt(title, RIGHT, { size: 20, weight: 'bold' })
  pen.y += 28
  pen.endingAt(number, RIGHT, { color: GREY })
  pen.y = top
  addressOf(pen, from)
  pen.y = Math.max(pen.y, top + 48) + 28
  const below = pen.y
  addressOf(pen, to)
  const end = pen.y
  pen.y = below
  for (const [name, value] of facts) {
    pen.block(name, MIDDLE + 30, 110, { color: GREY })
    pen.endingAt(value, RIGHT)
    pen.y += 16
  }
  pen.y = Math.max(end, pen.y) + 32
}

function addressOf(pen: Pen, lines: readonly string[]): void {
  lines.forEach((line, at) => {
    pen.y += pen.block(line, margin, MIDDLE - margin, { weight: at === 0 ? 'bold' : 'regular' })
  })
}

function rows(pen: Pen, paper: Paper): void {
  pen.block(paper.heads.text, margin, TEXT_WIDTH, { color: GREY })
  pen.endingAt(paper.heads.amount, RIGHT, { color: GREY })
  pen.y += 20
  for (const { text, note, amount } of paper.rows) {
    pen.need(60)
    pen.rule()
    pen.y += 9
    const height = pen.block(text, margin, TEXT_WIDTH)
    pen.endingAt(amount, RIGHT)
    pen.y += height
    if (note !== '') pen.y += pen.block(note, margin, TEXT_WIDTH, { size: 9, color: GREY })
    pen.y += 8
  }
  pen.rule()
  pen.y += 12
}

function sums(pen: Pen, paper: Paper): void {
  pen.need(paper.sums.length * 20)
  for (const { text, amount, bold } of paper.sums) {
    const weight = bold ? 'bold' : 'regular'
    const height = pen.block(text, MIDDLE, RIGHT - MIDDLE - 110, { weight })
    pen.endingAt(amount, RIGHT, { weight })
    pen.y += height + 5
  }
  pen.y += 24
}
