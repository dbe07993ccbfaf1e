import type { ReactNode } from 'react'
import { ApiError } from '../../api.ts'
import { Note } from '../../ui/notices/note.tsx'
import { ProblemNote } from '../../ui/notices/problem-note.tsx'
import { t } from './words.ts'

/** Whether a link was used or has expired. Other errors, such as too many requests, say nothing of it. */
export const isOver = (error: unknown): boolean =>
  error instanceof ApiError && error.problem.code === 'invalid_token'

/** Why a link did nothing. That it was used happens to everybody, and is nothing to report. */
export function LinkRefusal({ error, children }: { error: unknown; children?: ReactNode }) {
  return isOver(error) ? (
    <Note tone="warn" role="alert" title={t.linkOver}>
      {children ?? t.linkOverText}
    </Note>
  ) : (
    <ProblemNote error={error} />
  )
}
