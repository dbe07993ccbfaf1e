import CloudOff from 'lucide-react/icons/cloud-off'
import Inbox from 'lucide-react/icons/inbox'
import Lock from 'lucide-react/icons/lock'
import SearchX from 'lucide-react/icons/search-x'
import type { ReactNode } from 'react'
import { ApiError } from '../../api.ts'
import { Button } from '../buttons/button.tsx'
import { Ago } from '../data/time.tsx'
import { Hidden } from '../page/layout.tsx'
import { ProblemNote } from './problem-note.tsx'
import styles from './states.module.css'

interface EmptyProps {
  title: string
  children?: ReactNode
  action?: ReactNode
  icon?: ReactNode
}

/** There is nothing here yet: one sentence and the one thing to do. */
export function Empty({ title, children, action, icon }: EmptyProps) {
  return (
    <div className={styles.empty}>
      {icon ?? <Inbox aria-hidden />}
      <b>{title}</b>
      {children === undefined ? null : <p>{children}</p>}
      {action}
    </div>
  )
}

/** There is something, but not with this filter. */
export function NoResults({
  what,
  filter,
  onClear,
}: {
  what: string
  filter: string
  onClear: () => void
}) {
  return (
    <Empty
      title={`No ${what} match “${filter}”`}
      icon={<SearchX aria-hidden />}
      action={<Button onClick={onClear}>Clear filters</Button>}
    />
  )
}

/** Lines where the content will be; they appear only when loading takes longer than 150 ms. */
export function Skeletons({ lines = 5 }: { lines?: number }) {
  return (
    <div className={styles.skeletons} role="status">
      <Hidden>Loading</Hidden>
      {Array.from({ length: lines }, (_, index) => (
        <div
          key={index}
          className={styles.line}
          style={{ width: `${92 - ((index * 17) % 45)}%` }}
        />
      ))}
    </div>
  )
}

export function PageSkeleton() {
  return (
    <div className={styles.pageSkeleton} role="status">
      <Hidden>Loading</Hidden>
      <div className={styles.line} style={{ width: 220, height: 22 }} />
      <div className={`${styles.line} ${styles.block}`} />
      <div className={`${styles.line} ${styles.block}`} style={{ height: 220 }} />
    </div>
  )
}

/** A part of the page could not be loaded. A missing permission is told as such. */
export function LoadFailed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (error instanceof ApiError && error.problem.status === 403) {
    return (
      <Empty title="You are not allowed to see this" icon={<Lock aria-hidden />}>
        {error.problem.detail.replace(/\.?$/, '.')} A super administrator can grant it.
      </Empty>
    )
  }
  return <ProblemNote error={error} onRetry={onRetry} />
}

interface StaleProps {
  at: string | null
  /** What it was then, in a word. */
  was: string
  /** Left out where the node's name stands beside. */
  node?: string | undefined
}

/** What was last known, where its node is silent. */
export function Stale({ at, was, node }: StaleProps) {
  return (
    <span className={styles.stale}>
      <CloudOff aria-hidden />
      {at === null ? (
        'never seen'
      ) : (
        <>
          last seen {was} <Ago at={at} />
        </>
      )}
      {node === undefined ? null : ` · ${node} offline`}
    </span>
  )
}
