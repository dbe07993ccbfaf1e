import { ApiError } from '../../api.ts'
import { Described } from '../../command/describe-call.ts'
import { said } from '../../panel/said.ts'
import { Button } from '../buttons/button.tsx'
import { CopyButton } from '../data/copy.tsx'
import { rich } from '../page/rich.ts'
import styles from './note.module.css'
import { Note } from './note.tsx'
import { PlainRefusal } from './plain-refusal.ts'
import { t } from './words.ts'

interface ProblemNoteProps {
  error: unknown
  onRetry?: () => void
  /** Whether every error is shown at its field already. */
  atFields?: boolean
}

/** Shows the error of an action or of a page. */
export function ProblemNote({ error, onRetry, atFields }: ProblemNoteProps) {
  if (error instanceof Described) return null
  const problem = error instanceof ApiError ? error.problem : undefined
  const detail = error instanceof Error ? error.message : String(error)
  // The detail would only repeat the field errors, with their pointers.
  const isPlain = error instanceof PlainRefusal
  const isSaid = isPlain || (atFields && problem?.code === 'validation_failed')
  const loose = (problem?.errors ?? []).filter(({ pointer }) => pointer === '' || pointer === '/')
  return (
    <Note
      tone="err"
      role="alert"
      title={problem ? said(problem.title) : isPlain ? detail : t.panelFailed}
      action={
        onRetry ? (
          <Button size="small" onClick={onRetry}>
            {t.tryAgain}
          </Button>
        ) : undefined
      }
    >
      {isSaid ? null : <div>{detail}</div>}
      {loose.map((one) => (
        <div key={one.detail}>{one.detail}</div>
      ))}
      {problem?.instance && problem.status >= 500 ? (
        <div className={styles.meta}>
          {rich(t.request({ id: () => <code>{problem.instance}</code> }))}
          <CopyButton value={problem.instance} label={t.copyRequestId} />
        </div>
      ) : null}
    </Note>
  )
}
