import type { ReactNode } from 'react'
import { ActionMenu, type MenuEntry } from '../buttons/menu.tsx'
import styles from './row-actions.module.css'

interface RowActionsProps {
  /** Name of the button that opens the menu, such as `Actions for lobby`. */
  label: string
  entries: readonly MenuEntry[]
  /** The most frequent actions, as buttons that appear on hover or focus. */
  children?: ReactNode
}

/** The actions of a row: a menu with all of them, and buttons for some. */
export const RowActions = ({ label, entries, children }: RowActionsProps) => (
  <div className={styles.actions}>
    {children === undefined ? null : <div className={styles.near}>{children}</div>}
    <ActionMenu label={label} entries={entries} size="small" />
  </div>
)
