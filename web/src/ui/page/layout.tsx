import type { CSSProperties, ReactNode } from 'react'
import styles from './layout.module.css'

/** Inline styles with the variables of our own that style sheets read. */
export type Vars = CSSProperties & Record<`--${string}`, string>
const px = (value: number): string => `${value}px`
const names = (...list: readonly (string | false | undefined)[]): string =>
  list.filter(Boolean).join(' ')

/** Things below each other; `gap` in pixels. */
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

/** Things beside each other, wrapping when there is no room. */
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
  /** What is lower than its neighbours stays so, at the top. */
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

/** Main part and a side part of `side` pixels; below each other on narrow screens. */
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
  /** Read only where an element names it as its description. */
  silent?: boolean
  children: ReactNode
}

/** Text for screen readers only. */
export const Hidden = ({ id, silent, children }: HiddenProps) => (
  <span id={id} className={styles.hidden} aria-hidden={silent || undefined}>
    {children}
  </span>
)
