import type { Invoice, ManagedSubscription } from '@lodge/shared/billing/billing.ts'
import { SUBSCRIPTION_STATUSES } from '@lodge/shared/plans.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { paths } from '../../../paths.ts'
import { q } from '../../../query.ts'
import { Table } from '../../../ui/data/table.tsx'
import { Loaded } from '../../../ui/notices/loaded.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { Text } from '../../../ui/page/layout.tsx'
import { useSubscriptionActions } from '../manage/subscription-actions.tsx'
import { dayText, moneyText, priceText } from '../money-words.ts'
import { whenText } from '../own/subscription-card.tsx'
import { SubscriptionPill } from '../status-pill.tsx'
import { t as billing } from '../words.ts'
import { t } from './words.ts'

const MOST = 100
const ENDED: readonly string[] = ['canceled', 'expired']
const LIVE = `status:${SUBSCRIPTION_STATUSES.filter((status) => !ENDED.includes(status)).join()}`

interface SubscriptionsCardProps {
  readonly userId: string
  readonly email: string
}

/** The subscriptions of a customer that go on, with what is owed for each and the host's actions. */
export default function SubscriptionsCard({ userId, email }: SubscriptionsCardProps) {
  const actions = useSubscriptionActions()
  const subscriptions = useQuery(
    q('GET /api/billing/subscriptions', { query: { userId, filter: LIVE, limit: MOST } }),
  )
  const open = useQuery(
    q('GET /api/billing/invoices', { query: { userId, filter: 'status:open', limit: MOST } }),
  )
  const live = subscriptions.data?.items ?? []
  return (
    <Card
      flush={live.length > 0}
      title={t.title}
      actions={
        <Link to={paths.subscribers} search={{ q: email }}>
          {t.all}
        </Link>
      }
    >
      <Loaded query={subscriptions} lines={3}>
        {({ items }) => (
          <Table
            label={t.title}
            rows={items}
            keyOf={({ id }) => id}
            columns={[
              { id: 'plan', header: billing.plan, role: 'title', cell: Plan },
              {
                id: 'status',
                header: billing.status,
                cell: ({ status }) => <SubscriptionPill status={status} />,
              },
              {
                id: 'price',
                header: billing.price,
                cell: ({ price }) => (price ? priceText(price) : billing.free),
              },
              { id: 'next', header: t.next, cell: nextText },
              {
                id: 'owed',
                header: t.owed,
                cell: ({ id }) => (
                  <Loaded query={open} lines={1}>
                    {(unpaid) => (
                      <Owed
                        invoices={unpaid.items.filter(
                          ({ subscriptionId }) => subscriptionId === id,
                        )}
                      />
                    )}
                  </Loaded>
                ),
              },
              {
                id: 'more',
                header: billing.actions,
                role: 'acts',
                cell: (one) => actions.menuOf(one, nameOf(one)),
              },
            ]}
            empty={<Text muted>{t.none}</Text>}
          />
        )}
      </Loaded>
      {actions.dialog}
    </Card>
  )
}

const nameOf = ({ planName, server }: ManagedSubscription): string =>
  server ? `${planName} (${server.name})` : planName

function Plan({ planName, server }: ManagedSubscription) {
  return (
    <>
      {planName}
      {server ? (
        <div>
          {server.id === null ? (
            <Text small muted>
              {server.name}
            </Text>
          ) : (
            <Link to={paths.server} params={{ id: server.id }}>
              {server.name}
            </Link>
          )}
        </div>
      ) : null}
    </>
  )
}

const nextText = (one: ManagedSubscription): string => whenText(one) ?? ''

/** What is to be paid for a subscription, and since when it is overdue. */
function Owed({ invoices }: { invoices: readonly Invoice[] }) {
  if (invoices.length === 0) return <Text muted>{t.owesNothing}</Text>
  return invoices.map(({ id, amountDue, currency, dueAt }) => {
    const about = { amount: moneyText(amountDue, currency), when: dayText(dueAt) }
    return <div key={id}>{Date.parse(dueAt) < Date.now() ? t.overdue(about) : t.owes(about)}</div>
  })
}
