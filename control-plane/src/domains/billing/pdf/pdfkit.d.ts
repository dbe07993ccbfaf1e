// The part of pdfkit that we use.
declare module 'pdfkit' {
  interface Options {
    readonly size: 'A4'
    /** Null prevents PDFKit from loading its default font. */
    readonly font: null
    readonly margin: number
    readonly info: Readonly<Record<string, string | Date>>
    readonly lang: string
  }

  import { Readable } from 'node:stream'

  export default class PDFDocument extends Readable {
    constructor(options: Options)
    registerFont(name: string, file: string): this
    font(name: string): this
    fontSize(points: number): this
    fillColor(color: string): this
    strokeColor(color: string): this
    lineWidth(points: number): this
    moveTo(x: number, y: number): this
    lineTo(x: number, y: number): this
    stroke(): this
    widthOfString(text: string): number
    text(text: string, x: number, y: number, options: { readonly lineBreak: false }): this
    addPage(): this
    end(): void
  }
}
