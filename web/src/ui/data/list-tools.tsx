import Download from 'lucide-react/icons/download'
import type { ReactNode } from 'react'
import { Button, buttonClass } from '../buttons/button.tsx'
import styles from './toolbar.module.css'

/** At the end of a toolbar: what changes the look of a list. */
export const ListTools = ({ children }: { children: ReactNode }) => (
  <div className={styles.tools}>{children}</div>
)

/** Saves all rows of the filter, not only those of this page. */
export const ExportLink = ({ href, file }: { href: string; file: string }) => (
  <a className={buttonClass()} href={href} download={file}>
    <Download aria-hidden />
    CSV
  </a>
)

/** The same for a list that is here as a whole. */
export const ExportButton = ({ onClick }: { onClick: () => void }) => (
  <Button icon={<Download />} onClick={onClick}>
    CSV
  </Button>
)
