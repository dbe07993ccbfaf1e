import { CYCLES, type Cycle } from '@lodge/shared/billing/cycles.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { paths } from '../../../paths.ts'
import { q } from '../../../query.ts'
import { useMaybeMe } from '../../../session/session.ts'
import { Segments } from '../../../ui/choices/segments.tsx'
import { Loaded } from '../../../ui/notices/loaded.tsx'
import { Empty } from '../../../ui/notices/states.tsx'
import { Row } from '../../../ui/page/layout.tsx'
import { PublicPage } from '../../../ui/page/public-page.tsx'
import { cycleName } from '../money-words.ts'
import { t } from '../words.ts'
import { askedPlan } from './asked-plan.ts'
import { PlanCard } from './plan-card.tsx'
import styles from './store.module.css'

/** Whoever follows the link of a plan came for that one. */
const withLinkedFirst = <T extends { readonly id: string }>(
  plans: readonly T[],
  link: string | undefined,
): readonly T[] => plans.toSorted((a, b) => Number(b.id === link) - Number(a.id === link))

/** The plans for sale; visible without an account. */
export default function StorePage() {
  const me = useMaybeMe()
  const { plan } = useSearch({ from: '/store' })
  const query = { query: { plan } }
  const forAll = useQuery({ ...q('GET /api/store', query), enabled: me === null })
  const forMe = useQuery({ ...q('GET /api/me/store', query), enabled: !!me })
  const [asked] = useState(() => askedPlan(location.search))
  const [wanted, setWanted] = useState<Cycle>(asked.cycle ?? 'monthly')
  return (
    <PublicPage
      title={t.store}
      lead={t.storeLead}
      wide
      way={
        me === undefined ? null : me === null ? (
          <Link to={paths.signIn} search={{ next: paths.store + location.search }}>
            {t.signIn}
          </Link>
        ) : (
          <Link to={paths.billing}>{t.toBilling}</Link>
        )
      }
    >
      <Loaded query={me ? forMe : forAll} lines={8}>
        {({ items }) => {
          const cycles = CYCLES.filter((cycle) =>
            items.some(({ prices }) => prices.some((price) => price.cycle === cycle)),
          )
          const cycle = cycles.includes(wanted) ? wanted : (cycles[0] ?? wanted)
          return items.length === 0 ? (
            <Empty title={t.noPlans} art="plans">
              {t.noPlansText}
            </Empty>
          ) : (
            <>
              {cycles.length < 2 ? null : (
                <Row>
                  <Segments
                    label={t.cycle}
                    value={cycle}
                    choices={cycles.map((value) => ({ value, label: cycleName(value) }))}
                    onChange={setWanted}
                  />
                </Row>
              )}
              <div className={styles.plans}>
                {withLinkedFirst(items, plan).map((one) => (
                  <PlanCard
                    key={one.id}
                    plan={one}
                    cycle={cycle}
                    signedIn={!!me}
                    link={plan}
                    asked={one.id === asked.buy}
                  />
                ))}
              </div>
            </>
          )
        }}
      </Loaded>
    </PublicPage>
  )
}
