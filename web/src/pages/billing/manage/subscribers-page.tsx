import type { ManagedSubscription } from '@lodge/shared/billing/billing.ts'
import { SUBSCRIPTION_FIELDS } from '@lodge/shared/lists/billing.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import ChartColumn from 'lucide-react/icons/chart-column'
import { useMemo, useState } from 'react'
import { paths } from '../../../paths.ts'
import { q, useAct } from '../../../query.ts'
import { wantedOf } from '../../../routes/list-search.ts'
import { useMissing } from '../../../session/session.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { LinkButton } from '../../../ui/buttons/link.tsx'
import { Pager } from '../../../ui/data/pager.tsx'
import { RowActions } from '../../../ui/data/row-actions.tsx'
import { Table } from '../../../ui/data/table.tsx'
import { ConfirmDialog } from '../../../ui/dialogs/confirm.tsx'
import { Loaded } from '../../../ui/notices/loaded.tsx'
import { Empty } from '../../../ui/notices/states.tsx'
import { toastDone, toastRefused } from '../../../ui/notices/toast.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { Text } from '../../../ui/page/layout.tsx'
import { Page } from '../../../ui/page/page.tsx'
import { filteredSearch } from '../billing-search.ts'
import { dayText, priceText } from '../money-words.ts'
import { SubscriptionPill } from '../status-pill.tsx'
import { t } from '../words.ts'
import { AssignDialog } from './assign-dialog.tsx'
import { ChangePlanDialog } from './change-plan-dialog.tsx'
import { ListFilter, NoMatch, subscriptionFields, useFilter } from './list-filter.tsx'
import { GrantDialog, REFRESHES, SuspendDialog } from './suspend-dialog.tsx'
import { TaxWaits } from './tax-waits.tsx'

const WEEK_MS = 7 * 86_400_000
const SUSPENDABLE: readonly string[] = ['trialing', 'active', 'past_due']
const LIST = ['GET /api/billing/subscriptions'] as const

/** All subscriptions, for the host. */
export default function SubscribersPage() {
  const search = useSearch({ from: '/in/admin/subscribers' })
  const { after, q: filter = '' } = search
  const show = useFilter()
  const fields = useMemo(subscriptionFields, [])
  const navigate = useNavigate()
  const missing = useMissing()('billing.manage')
  const [changing, setChanging] = useState<ManagedSubscription>()
  const [ending, setEnding] = useState<ManagedSubscription>()
  const [asked, setAsked] = useState<{ what: 'suspend' | 'grant'; about: ManagedSubscription }>()
  const [assigning, setAssigning] = useState(false)
  const [refunding, setRefunding] = useState<ManagedSubscription>()
  const missingRefund = useMissing()('billing.refund')
  const refund = useAct('POST /api/billing/subscriptions/{id}/refund', LIST)
  const end = useAct('POST /api/billing/subscriptions/{id}/cancel-now', LIST)
  const lift = useAct('POST /api/billing/subscriptions/{id}/unsuspend', REFRESHES)
  const hold = useAct('PATCH /api/billing/subscriptions/{id}', LIST)
  const subscriptions = useQuery({
    ...q('GET /api/billing/subscriptions', {
      query: { ...wantedOf(search, SUBSCRIPTION_FIELDS), after },
    }),
    placeholderData: keepPreviousData,
  })
  const holdUntil = ({ id }: ManagedSubscription, until: string | null) =>
    hold.mutate(
      { params: { id }, body: { holdUntil: until } },
      {
        onSuccess: () => toastDone(until === null ? t.unheld : t.held),
        onError: (error) => toastRefused(t.notDone, error),
      },
    )
  const liftOne = ({ id, planName }: ManagedSubscription) =>
    lift.mutate(
      { params: { id } },
      {
        onSuccess: () => toastDone(t.lifted, planName),
        onError: (error) => toastRefused(t.notDone, error),
      },
    )
  const moreFor = (one: ManagedSubscription) =>
    one.endedAt !== null ? null : (
      <RowActions
        label={t.actionsFor({ name: one.email })}
        entries={[
          {
            label: one.holdUntil === null ? t.holdWeek : t.unhold,
            disabledBecause: missing,
            onSelect: () =>
              holdUntil(
                one,
                one.holdUntil === null ? new Date(Date.now() + WEEK_MS).toISOString() : null,
              ),
          },
          ...(one.price !== null && (one.status === 'active' || one.status === 'trialing')
            ? [
                {
                  label: t.changeFor,
                  disabledBecause: missing,
                  onSelect: () => setChanging(one),
                },
                {
                  label: t.grant,
                  disabledBecause: missing,
                  onSelect: () => setAsked({ what: 'grant', about: one }),
                },
              ]
            : []),
          ...(one.suspendedFor === 'admin'
            ? [{ label: t.lift, disabledBecause: missing, onSelect: () => liftOne(one) }]
            : []),
          ...(SUSPENDABLE.includes(one.status)
            ? [
                {
                  label: t.suspend,
                  disabledBecause: missing,
                  onSelect: () => setAsked({ what: 'suspend', about: one }),
                },
              ]
            : []),
          ...(one.server?.state === 'failed'
            ? [
                {
                  label: t.refundAll,
                  disabledBecause: missingRefund,
                  onSelect: () => setRefunding(one),
                },
              ]
            : []),
          { label: t.endNow, disabledBecause: missing, onSelect: () => setEnding(one) },
        ]}
      />
    )
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
      <ListFilter label={t.searchSubscribers} fields={fields} filter={filter} onChange={show} />
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
                { id: 'more', header: t.actions, role: 'acts', cell: moreFor },
              ]}
              empty={
                filter ? (
                  <NoMatch filter={filter} onChange={show} />
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
      {changing ? (
        <ChangePlanDialog subscription={changing} onClose={() => setChanging(undefined)} />
      ) : null}
      {assigning ? <AssignDialog onClose={() => setAssigning(false)} /> : null}
      {asked?.what === 'suspend' ? (
        <SuspendDialog subscription={asked.about} onClose={() => setAsked(undefined)} />
      ) : null}
      {asked?.what === 'grant' ? (
        <GrantDialog subscription={asked.about} onClose={() => setAsked(undefined)} />
      ) : null}
      {refunding ? (
        <ConfirmDialog
          opened
          onClose={() => setRefunding(undefined)}
          title={t.refundAllTitle({ plan: refunding.planName, email: refunding.email })}
          verb={t.refundAllVerb}
          onConfirm={async () => {
            await refund.mutateAsync({ params: { id: refunding.id }, body: { rest: 'balance' } })
            toastDone(t.refundedAll, refunding.planName)
          }}
        >
          {t.refundAllText}
        </ConfirmDialog>
      ) : null}
      {ending ? (
        <ConfirmDialog
          opened
          onClose={() => setEnding(undefined)}
          title={t.endTitle({ plan: ending.planName, email: ending.email })}
          verb={t.endVerb}
          onConfirm={async () => {
            await end.mutateAsync({ params: { id: ending.id } })
            toastDone(t.ended, ending.planName)
          }}
        >
          {t.endText}
        </ConfirmDialog>
      ) : null}
    </Page>
  )
}
