import { useQuery } from '@tanstack/react-query'
import ShieldCheck from 'lucide-react/icons/shield-check'
import type { Reply } from '../../api.ts'
import { q } from '../../query.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { ProblemNote } from '../../ui/notices/problem-note.tsx'
import { rich } from '../../ui/page/rich.ts'
import styles from './audit.module.css'
import { t } from './words.ts'

/** Verifies on request that nobody has changed the record: one line unless somebody has. */
export function VerifyStrip() {
  const verified = useQuery({ ...q('GET /api/audit/verify'), enabled: false })
  const again = () => void verified.refetch()
  if (verified.isError) return <ProblemNote error={verified.error} onRetry={again} />
  const found = verified.data
  const ask = (
    <Button size="small" kind="quiet" busy={verified.isFetching} onClick={again}>
      {found === undefined ? t.verify : t.verifyAgain}
    </Button>
  )
  if (found !== undefined && !found.ok)
    return (
      <Note tone="err" role="status" action={ask} title={t.tampered}>
        {found.faults.map((fault) => (
          <div key={`${fault.seal} ${fault.seq} ${fault.fault}`}>{faultWords(fault)}</div>
        ))}
      </Note>
    )
  return (
    <div className={styles.seal}>
      <ShieldCheck aria-hidden />
      <span role="status">
        {found === undefined ? t.chain : verifiedWords(found)}
        {found?.head ? (
          <>
            {' '}
            {rich(
              t.newestSeal({
                number: found.head.number,
                signature: () => <code>{found.head?.signature.slice(0, 16)}…</code>,
              }),
            )}
          </>
        ) : null}
      </span>
      {ask}
    </div>
  )
}

type Verified = Reply<'GET /api/audit/verify'>

const verifiedWords = ({ rows: count, unsealed }: Verified): string =>
  unsealed > 0 ? t.verifiedPartly({ count, unsealed }) : t.verified({ count })

function faultWords({ seal, seq, fault }: Verified['faults'][number]): string {
  if (seq !== null) return t.faultInEntry({ number: seq, fault })
  return seal === null ? fault : t.faultInSeal({ number: seal, fault })
}
