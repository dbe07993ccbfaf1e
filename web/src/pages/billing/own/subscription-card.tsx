import type { Invoice, Subscription, WayToPay } from '@lodge/shared/billing/billing.ts'
import { useState } from 'react'
import { saidReason } from '../../../panel/said.ts'
import { paths } from '../../../paths.ts'
import { useAct } from '../../../query.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { LinkButton } from '../../../ui/buttons/link.tsx'
import { ConfirmDialog } from '../../../ui/dialogs/confirm.tsx'
import { toastDone, toastRefused } from '../../../ui/notices/toast.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { Column, Row, Text } from '../../../ui/page/layout.tsx'
import { dayText, priceText } from '../money-words.ts'
import { SubscriptionPill } from '../status-pill.tsx'
import { t } from '../words.ts'
import { ChangeDialog } from './change-dialog.tsx'
import { ChargeButton } from './charge-button.tsx'
import { SaveMethodButton } from './save-method.tsx'

const REFRESHES = ['GET /api/billing', 'GET /api/limits/me', 'GET /api/me/store'] as const

/** Until when what is paid, or free, lasts. */
const endOf = ({
  status,
  cancelAtPeriodEnd,
  trialEndsAt,
  periodEnd,
}: Omit<Subscription, 'actions'>): string | null =>
  // A trial that is cancelled ends with the period after it if that is paid already.
  status === 'trialing' ? ((cancelAtPeriodEnd ? periodEnd : null) ?? trialEndsAt) : periodEnd

/**
 * When something happens to a subscription next, in words.
 * @param charged the payment method that its renewals are charged with
 */
export function whenText(one: Omit<Subscription, 'actions'>, charged?: string): string | undefined {
  const { status, cancelAtPeriodEnd, expiresAt, endedAt } = one
  if (endedAt) return t.endedOn({ when: dayText(endedAt) })
  if (status === 'incomplete' && expiresAt) return t.keptUntil({ when: dayText(expiresAt) })
  const until = endOf(one)
  if (!until) return undefined
  if (cancelAtPeriodEnd) return t.endsOn({ when: dayText(until) })
  if (status === 'trialing') return t.trialUntil({ when: dayText(until) })
  if (status !== 'active') return undefined
  const when = dayText(until)
  return charged === undefined ? t.nextCharge({ when }) : t.chargedOn({ when, method: charged })
}

/** By when it must be paid; undefined without a date, or once that is over. */
const payByText = ({ payBy }: Subscription): string | undefined =>
  payBy !== null && Date.parse(payBy) > Date.now() ? dayText(payBy) : undefined

/** The values of a message that says something else without a day. */
const dayOrNone = (when: string | undefined) =>
  when === undefined ? { dated: 'no', when: '' } : { dated: 'yes', when }

interface SubscriptionCardProps {
  subscription: Subscription
  /** The payment method that renewals are charged with. */
  charged: string | undefined
  /** Its invoice that is to be paid first. */
  owed: Invoice | undefined
  /** Whether an invoice waits for the customer's address. */
  placeMissing: boolean
  /** Ways to pay that can save a payment method, which a trial may wait for. */
  savers: readonly WayToPay[]
}

/** One subscription: its state, and its owner's actions. */
export function SubscriptionCard({
  subscription: one,
  charged,
  owed,
  placeMissing,
  savers,
}: SubscriptionCardProps) {
  const { id, planName, price, status, suspendedFor, pendingChange, server, actions } = one
  const until = endOf(one)
  const [dialog, setDialog] = useState<'cancel' | 'change' | 'take-back'>()
  const cancel = useAct('POST /api/billing/subscriptions/{id}/cancel', REFRESHES)
  const takeBack = useAct('POST /api/billing/subscriptions/{id}/take-back', REFRESHES)
  const resume = useAct('POST /api/billing/subscriptions/{id}/resume', REFRESHES)
  const params = { id }
  const why = ({ allowed, reason }: { allowed: boolean; reason: string | null }) =>
    allowed ? undefined : saidReason(reason ?? '')
  const isOver = one.endedAt !== null
  const when = whenText(one, charged)
  const withoutInvoice = placeMissing && !actions.pay.allowed
  const payBy = dayOrNone(payByText(one))
  const atOnce = status === 'incomplete' || status === 'past_due' || status === 'suspended'
  return (
    <Card title={planName} actions={<SubscriptionPill status={status} />}>
      <Column gap={12}>
        <div>
          <Text strong>{price ? priceText(price) : t.free}</Text>
          {server ? (
            <div>
              <Text>{server.name}</Text>
            </div>
          ) : null}
          {when === undefined ? null : (
            <div>
              <Text muted>{when}</Text>
            </div>
          )}
        </div>
        {status === 'past_due' ? (
          <Text>{withoutInvoice ? t.overdueWithoutPlace : t.overdueText(payBy)}</Text>
        ) : null}
        {suspendedFor === null ? null : (
          <Text>
            {suspendedFor === 'account'
              ? t.suspendedAccount
              : suspendedFor === 'admin'
                ? t.suspendedByHost({ reason: one.suspensionReason ?? '' })
                : withoutInvoice
                  ? t.suspendedWithoutPlace
                  : t.suspendedUnpaid({ ...payBy, server: server ? 'yes' : 'no' })}
          </Text>
        )}
        {pendingChange ? (
          <Text>
            {t.pendingText({
              plan: pendingChange.planName,
              ...dayOrNone(
                pendingChange.effectiveAt ? dayText(pendingChange.effectiveAt) : undefined,
              ),
            })}
          </Text>
        ) : null}
        {one.methodNeeded ? (
          <>
            <Text>{t.methodMissing}</Text>
            <Row>
              {savers.map((way) => (
                <SaveMethodButton key={way.id} way={way} />
              ))}
            </Row>
          </>
        ) : null}
        {server?.state === 'waiting' && server.id === null ? (
          <Text muted>{t.serverWaits}</Text>
        ) : null}
        {server?.state === 'failed' ? <Text muted>{t.serverFailed}</Text> : null}
        {isOver ? null : (
          <Row>
            {server?.id ? (
              <LinkButton to={paths.server} params={{ id: server.id }}>
                {t.openServer}
              </LinkButton>
            ) : null}
            {suspendedFor === 'admin' ? (
              <LinkButton to={paths.newTicket} search={{}} kind="primary">
                {t.writeToHost}
              </LinkButton>
            ) : null}
            {atOnce && actions.retry.allowed && owed && charged !== undefined ? (
              <ChargeButton invoice={owed} method={charged} />
            ) : null}
            <Button disabledBecause={why(actions.change)} onClick={() => setDialog('change')}>
              {t.change}
            </Button>
            {server?.refundOffered ? (
              <Button kind="warning" onClick={() => setDialog('take-back')}>
                {t.takeBack}
              </Button>
            ) : null}
            {one.cancelAtPeriodEnd && status !== 'suspended' ? (
              <Button
                busy={resume.isPending}
                disabledBecause={why(actions.resume)}
                onClick={() =>
                  resume.mutate(
                    { params },
                    {
                      onSuccess: () => toastDone(t.resumed, planName),
                      onError: (error) => toastRefused(t.notDone, error),
                    },
                  )
                }
              >
                {t.resume}
              </Button>
            ) : (
              <Button
                kind="warning"
                disabledBecause={why(actions.cancel)}
                onClick={() => setDialog('cancel')}
              >
                {t.cancel}
              </Button>
            )}
          </Row>
        )}
      </Column>
      <ConfirmDialog
        opened={dialog === 'cancel'}
        onClose={() => setDialog(undefined)}
        title={t.cancelTitle({ plan: planName })}
        verb={t.cancel}
        back={t.keep}
        onConfirm={async () => {
          await cancel.mutateAsync({ params })
          toastDone(t.cancelled, planName)
        }}
      >
        {suspendedFor === 'admin'
          ? t.cancelSuspendedText
          : atOnce
            ? t.cancelNowText
            : (server ? t.cancelServerText : t.cancelText)({ when: until ? dayText(until) : '' })}
      </ConfirmDialog>
      <ConfirmDialog
        opened={dialog === 'take-back'}
        onClose={() => setDialog(undefined)}
        title={t.takeBackTitle({ plan: planName })}
        verb={t.takeBackVerb}
        onConfirm={async () => {
          await takeBack.mutateAsync({ params })
          toastDone(t.takenBack, planName)
        }}
      >
        {t.takeBackText}
      </ConfirmDialog>
      {dialog === 'change' ? (
        <ChangeDialog subscription={one} onClose={() => setDialog(undefined)} />
      ) : null}
    </Card>
  )
}
