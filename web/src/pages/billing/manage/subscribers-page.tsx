import { SUBSCRIPTION_FIELDS } from '@lodge/shared/lists/billing.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import ChartColumn from 'lucide-react/icons/chart-column'
import { useMemo, useState } from 'react'
import { paths } from '../../../paths.ts'
import { q } from '../../../query.ts'
import { wantedOf } from '../../../routes/list-search.ts'
import { useMissing } from '../../../session/session.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { LinkButton } from '../../../ui/buttons/link.tsx'
import { Pager } from '../../../ui/data/pager.tsx'
import { Table } from '../../../ui/data/table.tsx'
import { useViewAddress } from '../../../ui/lists/use-view-address.ts'
import { Loaded } from '../../../ui/notices/loaded.tsx'
import { Empty } from '../../../ui/notices/states.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { Text } from '../../../ui/page/layout.tsx'
import { Page } from '../../../ui/page/page.tsx'
import { filteredSearch } from '../billing-search.ts'
import { dayText, priceText } from '../money-words.ts'
import { SubscriptionPill } from '../status-pill.tsx'
import { t } from '../words.ts'
import { AssignDialog } from './assign-dialog.tsx'
import { ListFilter, NoMatch, subscriptionFields } from './list-filter.tsx'
import { useSubscriptionActions } from './subscription-actions.tsx'
import { TaxWaits } from './tax-waits.tsx'

/** All subscriptions, for the host. */
export default function SubscribersPage() {
  const search = useSearch({ from: '/in/admin/subscribers' })
  const { after } = search
  const { filter, onShow } = useViewAddress()
  const fields = useMemo(subscriptionFields, [])
  const navigate = useNavigate()
  const missing = useMissing()('billing.manage')
  const actions = useSubscriptionActions()
  const [assigning, setAssigning] = useState(false)
  const subscriptions = useQuery({
    ...q('GET /api/billing/subscriptions', {
      query: { ...wantedOf(search, SUBSCRIPTION_FIELDS), after },
    }),
    placeholderData: keepPreviousData,
  })
  return (
    <Page
      title={t.subscribers}
      lead={t.subscribersLead}
      actions={
        <>
          <LinkButton to={paths.revenue} icon={<ChartColumn />}>
            {t.toRevenue}
          </LinkButton>
          <Button kind="primary" disabledBecause={missing} onClick={() => setAssigning(true)}>
            {t.assign}
          </Button>
        </>
      }
    >
      <TaxWaits />
      <ListFilter label={t.searchSubscribers} fields={fields} filter={filter} onShow={onShow} />
      <Card flush>
        <Loaded query={subscriptions} lines={8}>
          {({ items }) => (
            <Table
              label={t.subscribers}
              rows={items}
              keyOf={({ id }) => id}
              columns={[
                {
                  id: 'customer',
                  header: t.customer,
                  role: 'title',
                  cell: ({ userId, email }) =>
                    userId === null ? (
                      email
                    ) : (
                      <Link to={paths.customer} params={{ id: userId }}>
                        {email}
                      </Link>
                    ),
                },
                { id: 'plan', header: t.plan, cell: ({ planName }) => planName },
                {
                  id: 'status',
                  header: t.status,
                  cell: ({ status, suspensionReason }) => (
                    <>
                      <SubscriptionPill status={status} />
                      {suspensionReason === null ? null : (
                        <div>
                          <Text small muted>
                            {suspensionReason}
                          </Text>
                        </div>
                      )}
                    </>
                  ),
                },
                {
                  id: 'price',
                  header: t.price,
                  cell: ({ price }) => (price ? priceText(price) : t.free),
                },
                {
                  id: 'until',
                  header: t.until,
                  cell: ({ endedAt, periodEnd, trialEndsAt, expiresAt }) => {
                    const until = endedAt ?? periodEnd ?? trialEndsAt ?? expiresAt
                    return until ? dayText(until) : ''
                  },
                },
                {
                  id: 'more',
                  header: t.actions,
                  role: 'acts',
                  cell: (one) => actions.menuOf(one, one.email),
                },
              ]}
              empty={
                filter ? (
                  <NoMatch filter={filter} onShow={onShow} />
                ) : (
                  <Empty title={t.noSubscribers} art="plans">
                    {t.noSubscribersText}
                  </Empty>
                )
              }
            />
          )}
        </Loaded>
      </Card>
      <Pager
        shown={subscriptions.data?.items.length ?? 0}
        after={after}
        next={subscriptions.data?.nextCursor ?? null}
        onGo={(cursor) =>
          void navigate({
            to: paths.subscribers,
            search: filteredSearch({ ...search, after: cursor }),
          })
        }
      />
      {actions.dialog}
      {assigning ? <AssignDialog onClose={() => setAssigning(false)} /> : null}
    </Page>
  )
}
