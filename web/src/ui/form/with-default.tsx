import type { ReactNode } from 'react'
import { Button } from '../buttons/button.tsx'
import { Hidden } from '../page/layout.tsx'
import { rich } from '../page/rich.ts'
import styles from './with-default.module.css'
import { t } from './words.ts'

/** How a field relates to its default. */
export interface Standing {
  label: string
  /** Undefined while the default is unknown. */
  differs: boolean | undefined
  /** The default in words: `80`, `Off`. */
  defaultWords: string
  onReset: () => void
}

/** Marks a field only when it differs from its default, with the default and a way back. */
export function WithDefault({
  label,
  differs,
  defaultWords,
  onReset,
  children,
}: Standing & { children: ReactNode }) {
  const look = differs === undefined ? undefined : differs ? styles.differs : styles.usual
  return (
    <div className={look} data-setting>
      {children}
      {differs ? (
        <p className={styles.back}>
          <span>{t.default({ value: defaultWords })}</span>
          <Button kind="quiet" size="small" onClick={onReset}>
            {rich(t.reset({ field: label, hidden: (text) => <Hidden>{text}</Hidden> }))}
          </Button>
        </p>
      ) : null}
    </div>
  )
}
