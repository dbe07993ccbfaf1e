import CloudOff from 'lucide-react/icons/cloud-off'
import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import { ApiError } from '../../api.ts'
import { loadCode } from '../../load-code.ts'
import { Button } from '../buttons/button.tsx'
import { Ago } from '../data/time.tsx'
import type { ArtName } from '../icons/art-names.ts'
import { Hidden } from '../page/layout.tsx'
import { rich } from '../page/rich.ts'
import { t } from '../page/words.ts'
import { ProblemNote } from './problem-note.tsx'
import styles from './states.module.css'

// The sentence appears immediately; its picture follows, or is missing without a connection.
const Art = lazy<ComponentType<{ name: ArtName }>>(() =>
  loadCode(() => import('../icons/art.tsx')).catch(() => ({ default: () => null })),
)

/** A decorative picture beside a sentence with the same meaning. */
export const Illustration = ({ name }: { name: ArtName }) => (
  <span className={styles.art}>
    <Suspense fallback={null}>
      <Art name={name} />
    </Suspense>
  </span>
)

interface EmptyProps {
  title: string
  children?: ReactNode
  action?: ReactNode
  /** The picture for what is missing. */
  art?: ArtName
  /** Instead of a picture, where there is no room. */
  icon?: ReactNode
}

/** An empty state: one sentence and one action. */
export function Empty({ title, children, action, art = 'house', icon }: EmptyProps) {
  return (
    <div className={styles.empty}>
      {icon ?? <Illustration name={art} />}
      <b>{title}</b>
      {children === undefined ? null : <p>{children}</p>}
      {action}
    </div>
  )
}

/** No rows match the filter, as the title says. */
export const NoResults = ({ title, onClear }: { title: string; onClear: () => void }) => (
  <Empty title={title} art="search" action={<Button onClick={onClear}>{t.clearFilters}</Button>} />
)

/** Placeholder lines; they appear only when loading takes longer than 150 ms. */
export function Skeletons({ lines = 5 }: { lines?: number }) {
  return (
    <div className={styles.skeletons} role="status">
      <Hidden>{t.loading}</Hidden>
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
      <Hidden>{t.loading}</Hidden>
      <div className={styles.line} style={{ width: 220, height: 22 }} />
      <div className={`${styles.line} ${styles.block}`} />
      <div className={`${styles.line} ${styles.block}`} style={{ height: 220 }} />
    </div>
  )
}

/** Whether what a page shows does not exist any more, or not for this person. */
export const isGone = (error: unknown): boolean =>
  error instanceof ApiError && error.problem.status === 404

/** A part of the page failed to load; a missing permission is named as such. */
export function LoadFailed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (error instanceof ApiError && error.problem.status === 403) {
    return (
      <Empty title={t.notAllowed} art="locked">
        {error.problem.detail.replace(/\.?$/, '.')}
      </Empty>
    )
  }
  if (error instanceof ApiError && isGone(error))
    return <Empty title={error.problem.detail.replace(/\.$/, '')} art="missing" />
  return <ProblemNote error={error} onRetry={onRetry} />
}

interface StaleProps {
  at: string | null
  /** The last known state, in a word. */
  was: string
  /** Absent when the node's name is shown beside it. */
  node?: string | undefined
  /** As a short line in a list, below the state that it explains, without the node. */
  plain?: boolean
}

/** The last known state, while its node is offline. */
export function Stale({ at, was, node, plain }: StaleProps) {
  return (
    <span className={plain ? styles.seen : styles.stale}>
      {plain ? null : <CloudOff aria-hidden />}
      <span>
        {at === null
          ? neverSeen(node)
          : rich(seen({ state: was, when: () => <Ago at={at} /> }, node, plain))}
      </span>
    </span>
  )
}

const neverSeen = (node: string | undefined): string =>
  node === undefined ? t.neverSeen : t.neverSeenOffline({ node })

function seen(
  last: { state: string; when: () => ReactNode },
  node: string | undefined,
  plain: boolean | undefined,
): readonly ReactNode[] {
  if (plain) return t.stateThen(last)
  return node === undefined ? t.lastSeen(last) : t.lastSeenOffline({ ...last, node })
}
