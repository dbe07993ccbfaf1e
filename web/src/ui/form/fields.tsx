import type { ReactNode } from 'react'
import { Grid } from '../page/layout.tsx'
import styles from './form.module.css'

/** Fields below each other, inside a card of a form. */
export const Fields = ({ children }: { children: ReactNode }) => (
  <div className={styles.form}>{children}</div>
)

interface FieldGridProps {
  /** A field is never narrower, unless the page is. */
  leastPx?: number
  children: ReactNode
}

interface FieldGridProps {
  /** Pixels; a field is never narrower, unless the page is. */
  least?: number
  children: ReactNode
}

/** Fields beside each other, as many as there is room for. */
export const FieldGrid = ({ least = 220, children }: FieldGridProps) => (
  <Grid least={least} gap={16} top>
    {children}
  </Grid>
)
