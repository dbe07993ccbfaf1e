import { useQuery } from '@tanstack/react-query'
import { said } from '../../../panel/said.ts'
import { q } from '../../../query.ts'
import { Note } from '../../../ui/notices/note.tsx'
import { dayText } from '../money-words.ts'
import { t } from '../words.ts'

const MOST = 5

/** Invoices that are not issued yet because their tax is not known; nothing as long as there are none. */
export function TaxWaits() {
  const { data } = useQuery(q('GET /api/billing/tax'))
  if (!data || data.waitingCount === 0) return null
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
