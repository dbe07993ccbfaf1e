import type { TaxState } from '@lodge/shared/billing/tax-state.ts'
import { useQuery } from '@tanstack/react-query'
import { said } from '../../../panel/said.ts'
import { q } from '../../../query.ts'
import { Note } from '../../../ui/notices/note.tsx'
import { dayText } from '../money-words.ts'
import { t } from '../words.ts'

const MOST = 5

/** Problems with tax; renders nothing without any. */
export function TaxWaits() {
  const { data } = useQuery(q('GET /api/billing/tax'))
  if (!data) return null
  return (
    <>
      {data.waitingCount === 0 ? null : <Waiting data={data} />}
      {data.unrecordedCount === 0 ? null : <Unrecorded data={data} />}
    </>
  )
}

/** Invoices that are not issued yet because their tax is unknown. */
function Waiting({ data }: { data: TaxState }) {
  return (
    <Note tone="warn" title={t.taxWaits({ count: data.waitingCount })}>
      <div>{t.taxWaitsText}</div>
      {data.waiting
        .slice(0, MOST)
        .map(({ subscriptionId, email, planName: plan, since, failure, needsAddress }) => {
          const about = { email, plan, since: dayText(since) }
          return (
            <div key={subscriptionId}>
              {needsAddress
                ? t.taxWaitsForAddress(about)
                : t.taxWaitsFor({ ...about, why: said(failure) })}
            </div>
          )
        })}
    </Note>
  )
}

/** Sales that the tax provider should have recorded and has not. */
function Unrecorded({ data }: { data: TaxState }) {
  return (
    <Note tone="warn" title={t.taxUnrecorded({ count: data.unrecordedCount })}>
      <div>{t.taxUnrecordedText}</div>
      {data.unrecorded
        .slice(0, MOST)
        .map(({ id, kind, reference, number, email, at, failure, nextAt }) => {
          const about = { email, number, reference, day: dayText(at), why: said(failure) }
          return (
            <div key={id}>
              <div>{kind === 'sale' ? t.taxUnrecordedSale(about) : t.taxUnrecordedBack(about)}</div>
              {nextAt === null ? <div>{t.taxGivenUp}</div> : null}
            </div>
          )
        })}
    </Note>
  )
}
