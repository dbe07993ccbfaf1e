declare module 'subset-font' {
  /** The part of a font that these characters need. */
  export default function subsetFont(
    font: Buffer,
    text: string,
    options: {
      targetFormat: 'woff2'
      variationAxes: Readonly<Record<string, { readonly min: number; readonly max: number }>>
      keepFeatures: string[]
    },
  ): Promise<Buffer>
}
