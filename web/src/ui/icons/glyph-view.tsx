import { type Glyph, isDrawn, type MarkGlyph } from '@lodge/shared/templates/glyphs.ts'
import { type ReactNode, use } from 'react'
import { DRAWINGS } from './drawings.ts'
import styles from './icons.module.css'
import { outlineOf } from './marks.ts'

const marks = new Map<MarkGlyph, Promise<string>>()

/** Fetched once; without a connection it stays empty and is fetched again with the next page. */
function mark(glyph: MarkGlyph): Promise<string> {
  const present = marks.get(glyph)
  if (present !== undefined) return present
  const loading = outlineOf(glyph).catch(() => {
    marks.delete(glyph)
    return ''
  })
  marks.set(glyph, loading)
  return loading
}

const Mark = ({ glyph }: { glyph: MarkGlyph }): ReactNode => (
  <path className={styles.mark} d={use(mark(glyph))} />
)

/** A picture of the set. */
export default function GlyphView({ glyph }: { glyph: Glyph }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      {isDrawn(glyph) ? (
        <>
          <path className={styles.tone} fillRule="evenodd" d={DRAWINGS[glyph].tone} />
          <path className={styles.lines} d={DRAWINGS[glyph].lines} />
        </>
      ) : (
        <Mark glyph={glyph} />
      )}
    </svg>
  )
}
