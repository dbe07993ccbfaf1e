import { useQuery } from '@tanstack/react-query'
import ShieldCheck from 'lucide-react/icons/shield-check'
import { q } from '../../query.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { ProblemNote } from '../../ui/notices/problem-note.tsx'
import styles from './audit.module.css'

/** Whether the record is as it was written, verified on request: one line unless it is not. */
export function VerifyStrip() {
  const verified = useQuery({ ...q('GET /api/audit/verify'), enabled: false })
  const again = () => void verified.refetch()
  if (verified.isError) return <ProblemNote error={verified.error} onRetry={again} />
  const found = verified.data
  const ask = (
    <Button size="small" kind="quiet" busy={verified.isFetching} onClick={again}>
      {found === undefined ? 'Verify record' : 'Verify again'}
    </Button>
  )
  if (found !== undefined && !found.ok)
    return (
      <Note tone="err" role="status" action={ask} title="The record was tampered with">
        {found.faults.map(({ seal, seq, fault }) => (
          <div key={`${seal} ${seq} ${fault}`}>
            {seq === null ? `Seal ${seal}` : `Entry ${seq}`}: {fault}
          </div>
        ))}
      </Note>
    )
  return (
    <div className={styles.seal}>
      <ShieldCheck aria-hidden />
      <span role="status">
        {found === undefined
          ? 'Every entry is sealed in a signed chain, so a changed or removed one can be found.'
          : `Unchanged: ${found.rows} ${found.rows === 1 ? 'entry' : 'entries'} verified${
              found.unsealed > 0 ? `, the newest ${found.unsealed} not sealed yet` : ''
            }.`}
        {found?.head ? (
          <>
            {' '}
            Newest seal {found.head.number}: <code>{found.head.signature.slice(0, 16)}…</code>
          </>
        ) : null}
      </span>
      {ask}
    </div>
  )
}
