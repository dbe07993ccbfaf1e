import type { ReactNode } from 'react'
import { Grid } from '../page/layout.tsx'
import styles from './form.module.css'

interface FieldGridProps {
  /** Minimum width of a field in pixels, unless the page is narrower. */
  least?: number
  children: ReactNode
}

/** Fields side by side, as many as fit; each fills its column. */
export const FieldGrid = ({ least = 220, children }: FieldGridProps) => (
  <div className={styles.grid}>
    <Grid least={least} gap={16} top>
      {children}
    </Grid>
  </div>
)
