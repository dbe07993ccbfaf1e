import type { Billing, SavedPayment, WayToPay } from '@lodge/shared/billing/billing.ts'
import { useEffect, useState } from 'react'
import { useAct } from '../../../query.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { SwitchField } from '../../../ui/choices/switch-field.tsx'
import { ConfirmDialog } from '../../../ui/dialogs/confirm.tsx'
import { toastDone, toastRefused } from '../../../ui/notices/toast.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { Column, Row, Text } from '../../../ui/page/layout.tsx'
import { monthText } from '../money-words.ts'
import { t } from '../words.ts'

const REFRESHES = ['GET /api/billing'] as const

/** The payment methods that providers have saved, and whether renewals are charged with them. */
export function SavedMethods({ billing }: { billing: Billing }) {
  const { waysToPay, savedPayments, subscriptions } = billing
  const others = waysToPay.filter(
    ({ id, portal, autoCharge }) =>
      portal && autoCharge && !savedPayments.some(({ provider }) => provider === id),
  )
  const hasPortal = (provider: string) =>
    waysToPay.some(({ id, portal }) => portal && id === provider)
  // A provider that charges nothing by itself may have a page all the same, as for its receipts.
  const hasOther =
    subscriptions.some(({ actions }) => actions.portal.allowed) &&
    others.length === 0 &&
    !savedPayments.some(({ provider }) => hasPortal(provider))
  useBackFromProvider(savedPayments)
  if (savedPayments.length === 0 && others.length === 0 && !hasOther) return null
  return (
    <Card title={t.paymentMethods}>
      <Column gap={20}>
        {savedPayments.map((saved) => (
          <SavedMethod
            key={saved.provider}
            saved={saved}
            way={waysToPay.find(({ id }) => id === saved.provider)}
          />
        ))}
        {savedPayments.length === 0 && others.length > 0 ? <Text muted>{t.noMethods}</Text> : null}
        {others.length === 0 ? null : (
          <Row>
            {others.map(({ id, name }) => (
              <PortalButton key={id} provider={id}>
                {t.addMethod({ provider: name })}
              </PortalButton>
            ))}
          </Row>
        )}
        {hasOther ? (
          <Row>
            <PortalButton>{t.openPortal}</PortalButton>
          </Row>
        ) : null}
      </Column>
    </Card>
  )
}

/** Refreshes the saved payment methods when a person returns from the pages of a provider. */
function useBackFromProvider(savedPayments: readonly SavedPayment[]): void {
  const { mutate } = useAct('PUT /api/billing/payment-methods/{provider}', REFRESHES)
  const [known] = useState(savedPayments)
  useEffect(() => {
    const search = new URLSearchParams(location.search)
    // From a page on which they agreed that it is charged, or from one where they looked at what is saved.
    const charge = search.get('charge')
    const provider = charge ?? search.get('saved')
    if (provider === null) return
    history.replaceState(history.state, '', location.pathname)
    const present = known.find((one) => one.provider === provider)?.autoCharge ?? false
    mutate(
      { params: { provider }, body: { autoCharge: charge !== null || present } },
      { onError: (error) => toastRefused(t.methodNotChanged, error) },
    )
  }, [mutate, known])
}

/** @param props.provider any that knows them if left out */
function PortalButton({ provider, children }: { provider?: string; children: string }) {
  const open = useAct('POST /api/billing/portal')
  return (
    <Button
      busy={open.isPending}
      onClick={() =>
        open.mutate(
          { query: provider === undefined ? {} : { provider } },
          {
            onSuccess: ({ url }) => location.assign(url),
            onError: (error) => toastRefused(t.portalClosed, error),
          },
        )
      }
    >
      {children}
    </Button>
  )
}

interface SavedMethodProps {
  saved: SavedPayment
  way: WayToPay | undefined
}

function SavedMethod({ saved, way }: SavedMethodProps) {
  const { provider, name, label, expires, autoCharge } = saved
  const [removing, setRemoving] = useState(false)
  const set = useAct('PUT /api/billing/payment-methods/{provider}', REFRESHES)
  const remove = useAct('DELETE /api/billing/payment-methods/{provider}', REFRESHES)
  const params = { provider }
  return (
    <Column gap={12}>
      <div>
        <Text strong>{label}</Text>
        <div>
          <Text muted>
            {expires === null
              ? t.keptAt({ provider: name })
              : t.keptAtUntil({ provider: name, when: monthText(expires) })}
          </Text>
        </div>
      </div>
      <SwitchField
        label={t.autoCharge}
        description={t.autoChargeHelp}
        value={autoCharge}
        disabled={set.isPending}
        onChange={(on) =>
          set.mutate(
            { params, body: { autoCharge: on } },
            {
              onSuccess: () => toastDone(on ? t.autoChargeOn : t.autoChargeOff, label),
              onError: (error) => toastRefused(t.methodNotChanged, error),
            },
          )
        }
      />
      <Row>
        {way?.portal ? (
          <PortalButton provider={provider}>{t.changeMethod({ provider: name })}</PortalButton>
        ) : null}
        <Button kind="warning" onClick={() => setRemoving(true)}>
          {t.removeMethod}
        </Button>
      </Row>
      <ConfirmDialog
        opened={removing}
        onClose={() => setRemoving(false)}
        title={t.removeMethodTitle({ method: label })}
        verb={t.removeMethodVerb}
        onConfirm={async () => {
          await remove.mutateAsync({ params })
          toastDone(t.methodRemoved, label)
        }}
      >
        {t.removeMethodText({ provider: name })}
      </ConfirmDialog>
    </Column>
  )
}
