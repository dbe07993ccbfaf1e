import type { ManagedSubscription } from '@lodge/shared/billing/billing.ts'
import { type ReactNode, useState } from 'react'
import { useAct } from '../../../query.ts'
import { useMissing } from '../../../session/session.ts'
import { RowActions } from '../../../ui/data/row-actions.tsx'
import { ConfirmDialog } from '../../../ui/dialogs/confirm.tsx'
import { toastDone, toastRefused } from '../../../ui/notices/toast.tsx'
import { t } from '../words.ts'
import { ChangePlanDialog } from './change-plan-dialog.tsx'
import { GrantDialog, REFRESHES, SuspendDialog } from './suspend-dialog.tsx'

const WEEK_MS = 7 * 86_400_000
const SUSPENDABLE: readonly string[] = ['trialing', 'active', 'past_due']

interface SubscriptionActions {
  /** The menu of a subscription; `name` says whose it is. */
  readonly menuOf: (one: ManagedSubscription, name: string) => ReactNode
  /** The dialog that an entry has opened. */
  readonly dialog: ReactNode
}

/** What the host can do with subscriptions. */
export function useSubscriptionActions(): SubscriptionActions {
  const missing = useMissing()('billing.manage')
  const missingRefund = useMissing()('billing.refund')
  const [changing, setChanging] = useState<ManagedSubscription>()
  const [ending, setEnding] = useState<ManagedSubscription>()
  const [asked, setAsked] = useState<{ what: 'suspend' | 'grant'; about: ManagedSubscription }>()
  const [refunding, setRefunding] = useState<ManagedSubscription>()
  const refund = useAct('POST /api/billing/subscriptions/{id}/refund', REFRESHES)
  const end = useAct('POST /api/billing/subscriptions/{id}/cancel-now', REFRESHES)
  const lift = useAct('POST /api/billing/subscriptions/{id}/unsuspend', REFRESHES)
  const hold = useAct('PATCH /api/billing/subscriptions/{id}', REFRESHES)
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
  const menuOf = (one: ManagedSubscription, name: string) =>
    one.endedAt !== null ? null : (
      <RowActions
        label={t.actionsFor({ name })}
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
  const dialog = (
    <>
      {changing ? (
        <ChangePlanDialog subscription={changing} onClose={() => setChanging(undefined)} />
      ) : null}
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
    </>
  )
  return { menuOf, dialog }
}
