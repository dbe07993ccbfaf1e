import type { Billing } from '@lodge/shared/billing/billing.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { paths } from '../../../paths.ts'
import { q } from '../../../query.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { LinkButton } from '../../../ui/buttons/link.tsx'
import { Loaded } from '../../../ui/notices/loaded.tsx'
import { Note } from '../../../ui/notices/note.tsx'
import { Empty } from '../../../ui/notices/states.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { Column, Grid } from '../../../ui/page/layout.tsx'
import { Page } from '../../../ui/page/page.tsx'
import { moneyText } from '../money-words.ts'
import { t } from '../words.ts'
import { AddressDialog } from './address-dialog.tsx'
import { OwnInvoices } from './own-invoices.tsx'
import { PayAllDialog, payableOf, sumsText } from './pay-all-dialog.tsx'
import { SavedMethods } from './saved-methods.tsx'
import { SubscriptionCard } from './subscription-card.tsx'

/** While a payment is awaited, which a provider or the host may report at any moment. */
const LOOK_EVERY_MS = 5_000
const waits = (billing: Billing | undefined): boolean =>
  billing !== undefined &&
  (billing.invoices.some(({ status }) => status === 'open') ||
    billing.subscriptions.some(({ status }) => status === 'incomplete'))

/** The caller's own subscriptions and invoices. */
export default function BillingPage() {
  const [addressing, setAddressing] = useState(false)
  const [payingAll, setPayingAll] = useState(false)
  const billing = useQuery({
    ...q('GET /api/billing'),
    refetchInterval: ({ state }) => (waits(state.data) ? LOOK_EVERY_MS : false),
  })
  return (
    <Page
      title={t.billing}
      actions={
        <LinkButton to={paths.store} search={{}}>
          {t.seePlans}
        </LinkButton>
      }
    >
      <Loaded query={billing} lines={8}>
        {(data) => (
          <Column gap={24}>
            {data.balances.map(({ amount, currency }) => (
              <Note key={currency} tone="info" title={t.inHand}>
                {t.inHandText({ amount: moneyText(amount, currency) })}
              </Note>
            ))}
            {data.taxPlaceMissing ? (
              <Note
                tone="warn"
                title={t.placeMissing}
                action={
                  <Button size="small" onClick={() => setAddressing(true)}>
                    {t.editAddress}
                  </Button>
                }
              >
                {t.placeMissingText}
              </Note>
            ) : null}
            {data.subscriptions.length === 0 ? (
              <Empty title={t.noSubscriptions} art="plans">
                {t.noSubscriptionsText}
              </Empty>
            ) : (
              <Grid least={340} gap={16} top>
                {data.subscriptions.map((one) => (
                  <SubscriptionCard
                    key={one.id}
                    subscription={one}
                    owed={payableOf(data).find(({ subscriptionId }) => subscriptionId === one.id)}
                    placeMissing={data.taxPlaceMissing}
                    savers={data.waysToPay.filter(({ saveMethod }) => saveMethod)}
                    charged={data.savedPayments.find(({ autoCharge }) => autoCharge)?.label}
                  />
                ))}
              </Grid>
            )}
            <SavedMethods billing={data} />
            {data.invoices.length === 0 ? null : (
              <Card
                title={t.invoices}
                flush
                actions={
                  <>
                    {payableOf(data).length < 2 ? null : (
                      <Button size="small" kind="primary" onClick={() => setPayingAll(true)}>
                        {t.payAllOf({ amount: sumsText(payableOf(data)) })}
                      </Button>
                    )}
                    <Button size="small" onClick={() => setAddressing(true)}>
                      {t.editAddress}
                    </Button>
                  </>
                }
              >
                <OwnInvoices billing={data} />
              </Card>
            )}
            {/* It closes by itself once nothing is left to pay. */}
            {payingAll && payableOf(data).length > 0 ? (
              <PayAllDialog billing={data} onClose={() => setPayingAll(false)} />
            ) : null}
            {addressing ? (
              <AddressDialog billing={data} onClose={() => setAddressing(false)} />
            ) : null}
          </Column>
        )}
      </Loaded>
    </Page>
  )
}
