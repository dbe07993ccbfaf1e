import type { StorePlan, Subscription } from '@lodge/shared/billing/billing.ts'
import type { Price } from '@lodge/shared/billing/prices.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q, useAct, useRefresh } from '../../../query.ts'
import { SelectField } from '../../../ui/choices/select-field.tsx'
import { ConfirmDialog } from '../../../ui/dialogs/confirm.tsx'
import { Loaded } from '../../../ui/notices/loaded.tsx'
import { toastDone } from '../../../ui/notices/toast.tsx'
import { Column, Text } from '../../../ui/page/layout.tsx'
import { atShownPrice } from '../at-shown-price.ts'
import { ChangePreviewParts } from '../change-preview.tsx'
import { offerChoices, offerValue } from '../offers.ts'
import { t } from '../words.ts'
import { blockWords } from './block-words.ts'

interface ChangeDialogProps {
  subscription: Subscription
  onClose: () => void
}
interface Offer {
  readonly plan: StorePlan
  readonly price: Price
}

/** Other plans and cycles in the currency of the subscription. */
const offersFor = ({ kind, price }: Subscription, plans: readonly StorePlan[]): Offer[] =>
  plans
    .filter((plan) => plan.kind === kind)
    .flatMap((plan) => plan.prices.map((one) => ({ plan, price: one })))
    .filter((offer) => offer.price.currency === price?.currency && offer.price.id !== price.id)

/** Changes to another plan, after showing what that costs and when it happens. */
export function ChangeDialog({ subscription, onClose }: ChangeDialogProps) {
  const store = useQuery(q('GET /api/me/store'))
  const [chosen, setChosen] = useState('')
  const offers = offersFor(subscription, store.data?.items ?? [])
  const offer = offers.find((one) => offerValue(one) === chosen)
  const preview = useQuery({
    ...q('GET /api/billing/preview-change', {
      query: {
        subscriptionId: subscription.id,
        planId: offer?.plan.id ?? '',
        cycle: offer?.price.cycle ?? 'monthly',
      },
    }),
    enabled: offer !== undefined,
    staleTime: 0,
  })
  const refresh = useRefresh()
  const change = useAct('POST /api/billing/subscriptions/{id}/change', [
    'GET /api/billing',
    'GET /api/limits/me',
    'GET /api/me/store',
  ])
  const shown = offer ? preview.data : undefined
  const [block] = shown?.blocked ?? []
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t.change}
      verb={t.change}
      kind="primary"
      disabledBecause={
        !offer || !shown ? t.newPlan : block === undefined ? undefined : blockWords(block)
      }
      onConfirm={async () => {
        if (!offer || !shown) return
        const body = { planId: offer.plan.id, cycle: offer.price.cycle, quoteId: shown.quoteId }
        await atShownPrice(
          () => change.mutateAsync({ params: { id: subscription.id }, body }),
          () => Promise.all([preview.refetch(), refresh(['GET /api/me/store'])]),
        )
        toastDone(shown.dueNow > 0 ? t.changeAsked : t.changed, offer.plan.name)
      }}
    >
      <Column>
        <Loaded query={store}>
          {() =>
            offers.length === 0 ? (
              <Text muted>{t.noOtherPlans}</Text>
            ) : (
              <SelectField
                label={t.newPlan}
                width="fill"
                choices={offerChoices(offers)}
                value={chosen}
                onChange={setChosen}
              />
            )
          }
        </Loaded>
        {offer ? (
          <Loaded query={preview}>{(data) => <ChangePreviewParts preview={data} />}</Loaded>
        ) : null}
      </Column>
    </ConfirmDialog>
  )
}
