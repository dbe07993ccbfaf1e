import type { CSSProperties, ReactNode } from 'react'
import styles from './layout.module.css'

/** Inline styles with our own CSS variables. */
export type Vars = CSSProperties & Record<`--${string}`, string>
const px = (value: number): string => `${value}px`
const names = (...list: readonly (string | false | undefined)[]): string =>
  list.filter(Boolean).join(' ')

/** Stacks its children; `gap` in pixels. */
export function Column({ gap = 16, children }: { gap?: number; children: ReactNode }) {
  return (
    <div className={styles.column} style={{ '--gap': px(gap) } as Vars}>
      {children}
    </div>
  )
}

interface RowProps {
  gap?: number
  between?: boolean
  end?: boolean
  top?: boolean
  nowrap?: boolean
  children: ReactNode
}

/** Children side by side; wraps when there is no room. */
export function Row({ gap = 8, between, end, top, nowrap, children }: RowProps) {
  return (
    <div
      className={names(
        styles.row,
        between && styles.between,
        end && styles.end,
        top && styles.top,
        nowrap && styles.nowrap,
      )}
      style={{ '--gap': px(gap) } as Vars}
    >
      {children}
    </div>
  )
}

/** As many equal columns as fit when each has at least `least` pixels. */
export function Grid({
  least = 240,
  gap = 12,
  top,
  children,
}: {
  least?: number
  gap?: number
  /** Aligns shorter items at the top. */
  top?: boolean
  children: ReactNode
}) {
  return (
    <div
      className={top ? `${styles.grid} ${styles.top}` : styles.grid}
      style={{ '--gap': px(gap), '--least': px(least) } as Vars}
    >
      {children}
    </div>
  )
}

/** A main part and a side part of `side` pixels; stacked on narrow screens. */
export function Split({ side = 320, children }: { side?: number; children: ReactNode }) {
  return (
    <div className={styles.split} style={{ '--side': px(side) } as Vars}>
      {children}
    </div>
  )
}

interface TextProps {
  muted?: boolean
  faint?: boolean
  small?: boolean
  strong?: boolean
  mono?: boolean
  clip?: boolean
  title?: string
  children: ReactNode
}

export function Text({ muted, faint, small, strong, mono, clip, title, children }: TextProps) {
  return (
    <span
      title={title}
      className={names(
        muted && styles.muted,
        faint && styles.faint,
        small && styles.small,
        strong && styles.strong,
        mono && styles.mono,
        clip && styles.clip,
      )}
    >
      {children}
    </span>
  )
}

interface HiddenProps {
  id?: string
  /** Read only through an element's `aria-describedby`. */
  silent?: boolean
  children: ReactNode
}

/** Text for screen readers only. */
export const Hidden = ({ id, silent, children }: HiddenProps) => (
  <span id={id} className={styles.hidden} aria-hidden={silent || undefined}>
    {children}
  </span>
)
