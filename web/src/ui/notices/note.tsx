import type { Tone } from '@lodge/shared/theme/tokens.ts'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import Info from 'lucide-react/icons/info'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import type { ReactNode } from 'react'
import tones from '../page/tone.module.css'
import styles from './note.module.css'

const ICONS = {
  ok: CircleCheck,
  warn: TriangleAlert,
  err: CircleAlert,
  info: Info,
  pend: Info,
  idle: Info,
}

interface NoteProps {
  tone: Tone
  title?: ReactNode
  children?: ReactNode
  action?: ReactNode
  /** Announced immediately (errors) or politely (everything else). */
  role?: 'alert' | 'status'
}

/** A coloured box with an icon: a note about this page or form. */
export function Note({ tone, title, children, action, role }: NoteProps) {
  const Icon = ICONS[tone]
  return (
    <div className={`${styles.note} ${tones[tone]}`} role={role}>
      <Icon aria-hidden />
      <div className={styles.body}>
        {title === undefined ? null : <div className={styles.title}>{title}</div>}
        {children}
      </div>
      {action === undefined ? null : <div className={styles.actionsSide}>{action}</div>}
    </div>
  )
}
