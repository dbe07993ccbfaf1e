import type PDFDocument from 'pdfkit'
import { type Run, runsOf, typefaceName, type Weight } from './typefaces.ts'

/** A4, in points. */
export const PAGE = { width: 595.28, height: 841.89, margin: 56 } as const
export const RIGHT = PAGE.width - PAGE.margin
const LINE = 1.35
const INK = '#16181d'
export const GREY = '#5c6370'

interface Style {
  readonly size?: number
  readonly weight?: Weight
  readonly color?: string
}

/** Writes lines of text from the top of a page to its end, in every script that the typeface has. */
export class Pen {
  readonly #document: PDFDocument
  y: number = PAGE.margin

  constructor(document: PDFDocument) {
    this.#document = document
  }

  /** Begins a new page if this height does not fit on the current one. */
  need(height: number): void {
    if (this.y + height <= PAGE.height - PAGE.margin) return
    this.#document.addPage()
    this.y = PAGE.margin
  }

  /** Writes a text in lines of this width, and returns its height in points. */
  block(text: string, x: number, width: number, style: Style = {}): number {
    const { size = 10, weight = 'regular', color = INK } = style
    const lines = this.#wrapped(text, width, size, weight)
    lines.forEach((line, at) => {
      this.#line(line, x, this.y + at * size * LINE, size, weight, color)
    })
    return lines.length * size * LINE
  }

  /** Writes a short text, right-aligned at x. */
  endingAt(text: string, x: number, style: Style = {}): void {
    const { size = 10, weight = 'regular', color = INK } = style
    this.#line(text, x - this.#width(text, size, weight), this.y, size, weight, color)
  }

  rule(): void {
    this.#document
      .strokeColor('#d5d8de')
      .lineWidth(0.7)
      .moveTo(PAGE.margin, this.y)
      .lineTo(RIGHT, this.y)
      .stroke()
  }

  #use({ file, text }: Run, size: number, weight: Weight): number {
    return this.#document.font(typefaceName(file, weight)).fontSize(size).widthOfString(text)
  }

  #width(text: string, size: number, weight: Weight): number {
    return runsOf(text).reduce((sum, run) => sum + this.#use(run, size, weight), 0)
  }

  #line(text: string, x: number, y: number, size: number, weight: Weight, color: string): void {
    let at = x
    for (const run of runsOf(text)) {
      const width = this.#use(run, size, weight)
      this.#document.fillColor(color).text(run.text, at, y, { lineBreak: false })
      at += width
    }
  }

  /** Wraps at words; breaks a word that is longer than a line. */
  #wrapped(text: string, width: number, size: number, weight: Weight): string[] {
    const fits = (line: string) => this.#width(line, size, weight) <= width
    const lines: string[] = []
    let line = ''
    for (const word of text.split(/\s+/u)) {
      const longer = line === '' ? word : `${line} ${word}`
      if (fits(longer)) {
        line = longer
        continue
      }
      if (line !== '') lines.push(line)
      line = ''
      for (const one of word) {
        if (!fits(line + one)) {
          lines.push(line)
          line = ''
        }
        line += one
      }
    }
    return [...lines, line]
  }
}
