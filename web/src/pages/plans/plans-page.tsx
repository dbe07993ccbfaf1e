import { useQuery } from '@tanstack/react-query'
import Plus from 'lucide-react/icons/plus'
import { useMemo } from 'react'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { useMay } from '../../session/session.ts'
import { useList } from '../../session/use-list.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { ShortList } from '../../ui/lists/short-list.tsx'
import { useViewAddress } from '../../ui/lists/use-view-address.ts'
import { Empty } from '../../ui/notices/states.tsx'
import { Page } from '../../ui/page/page.tsx'
import { planColumns, planTools } from './plan-list.tsx'
import { t } from './words.ts'

/** Account plans with the number of their subscribers. */
export default function PlansPage() {
  const plans = useQuery(q('GET /api/plans'))
  const list = useList('plans', useMemo(planColumns, []))
  const tools = useMemo(planTools, [])
  const view = useViewAddress()
  const may = useMay()
  const create = may('plans.manage') ? (
    <LinkButton to={paths.newPlan} kind="primary" icon={<Plus />}>
      {t.newPlan}
    </LinkButton>
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
    </Page>
  )
}
