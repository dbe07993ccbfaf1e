import { useQuery } from '@tanstack/react-query'
import { q } from '../../query.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { ProblemNote } from '../../ui/notices/problem-note.tsx'

/** Verifies on request that the record is unchanged. */
export function VerifyStrip() {
  const verified = useQuery({ ...q('GET /api/audit/verify'), enabled: false })
  const ask = (
    <Button size="small" busy={verified.isFetching} onClick={() => void verified.refetch()}>
      Check the record
    </Button>
  )
  if (verified.isError)
    return <ProblemNote error={verified.error} onRetry={() => void verified.refetch()} />
  if (verified.data === undefined) {
    return (
      <Note tone="info" action={ask}>
        Entries are sealed in a chain, so that a changed or removed one shows.
      </Note>
    )
  }
  const { ok, rows, unsealed, faults, head } = verified.data
  return (
    <Note
      tone={ok ? 'ok' : 'err'}
      role="status"
      action={ask}
      title={
        ok
          ? `The record is as it was written: ${rows} ${rows === 1 ? 'entry' : 'entries'} checked`
          : 'The record was tampered with'
      }
    >
      {faults.map(({ seal, seq, fault }) => (
        <div key={`${seal} ${seq} ${fault}`}>
          {seq === null ? `Seal ${seal}` : `Entry ${seq}`}: {fault}
        </div>
      ))}
      {ok && unsealed > 0 ? <div>{unsealed} of the newest are not sealed yet.</div> : null}
      {head === null ? null : (
        <div>
          Newest seal {head.number}: <code>{head.signature.slice(0, 24)}…</code>
        </div>
      )}
    </Note>
  )
}
