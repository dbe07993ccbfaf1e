import type { ReactNode } from 'react'
import { ApiError } from '../../api.ts'
import { Note } from '../../ui/notices/note.tsx'
import { ProblemNote } from '../../ui/notices/problem-note.tsx'
import { t } from './words.ts'

/**
 * Whether a link was used or has expired. Other errors, such as too many requests, say nothing about
 * it.
 */
export const isOver = (error: unknown): boolean =>
  error instanceof ApiError && error.problem.code === 'invalid_token'

/** Why a link had no effect. A used link happens to everybody and is not shown as an error. */
export function LinkRefusal({ error, children }: { error: unknown; children?: ReactNode }) {
  return isOver(error) ? (
    <Note tone="warn" role="alert" title={t.linkOver}>
      {children ?? t.linkOverText}
    </Note>
  ) : (
    <ProblemNote error={error} />
  )
}
