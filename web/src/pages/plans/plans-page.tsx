import { useQuery } from '@tanstack/react-query'
import ArrowDownUp from 'lucide-react/icons/arrow-down-up'
import Plus from 'lucide-react/icons/plus'
import { useMemo, useState } from 'react'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { useMay } from '../../session/session.ts'
import { useList } from '../../session/use-list.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { ShortList } from '../../ui/lists/short-list.tsx'
import { useViewAddress } from '../../ui/lists/use-view-address.ts'
import { Empty } from '../../ui/notices/states.tsx'
import { Page } from '../../ui/page/page.tsx'
import { OrderDialog } from './order-dialog.tsx'
import { planColumns, planTools } from './plan-list.tsx'
import { t } from './words.ts'

/** Plans with the number of their subscribers. */
export default function PlansPage() {
  const plans = useQuery(q('GET /api/plans'))
  const list = useList('plans', useMemo(planColumns, []))
  const tools = useMemo(planTools, [])
  const view = useViewAddress()
  const may = useMay()
  const [ordering, setOrdering] = useState(false)
  const items = plans.data?.items ?? []
  const create = may('plans.manage') ? (
    <>
      {items.length < 2 ? null : (
        <Button icon={<ArrowDownUp />} onClick={() => setOrdering(true)}>
          {t.changeOrder}
        </Button>
      )}
      <LinkButton to={paths.newPlan} kind="primary" icon={<Plus />}>
        {t.newPlan}
      </LinkButton>
    </>
  ) : undefined
  return (
    <Page title={t.plans} lead={t.lead} actions={create}>
      <ShortList
        label={t.plans}
        searchLabel={t.search}
        file="plans.csv"
        query={plans}
        keyOf={({ id }) => id}
        list={list}
        tools={tools}
        {...view}
        noMatch={t.noMatch}
        empty={
          <Empty title={t.none} art="plans">
            {t.noneText}
          </Empty>
        }
      />
      {ordering ? <OrderDialog plans={items} onClose={() => setOrdering(false)} /> : null}
    </Page>
  )
}
