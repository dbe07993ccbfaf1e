import {
  CHANGE_MODES,
  type ChangeMode,
  type ManagedSubscription,
} from '@lodge/shared/billing/billing.ts'
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
import { blockWords } from '../own/block-words.ts'
import { t } from '../words.ts'

interface ChangePlanDialogProps {
  subscription: ManagedSubscription
  onClose: () => void
}

const USUAL = 'usual'
const isMode = (value: string): value is ChangeMode => CHANGE_MODES.some((mode) => mode === value)

/** Moves a customer to another plan, also to one that is not in the store, now or with the next period. */
export function ChangePlanDialog({ subscription, onClose }: ChangePlanDialogProps) {
  const { id, kind, price: present, planName, email } = subscription
  const plans = useQuery(q('GET /api/plans'))
  const [chosen, setChosen] = useState('')
  const [when, setWhen] = useState(USUAL)
  const offers = (plans.data?.items ?? [])
    .filter((plan) => plan.kind === kind && plan.active && plan.archivedAt === null)
    .flatMap((plan) => plan.prices.map((price) => ({ plan, price })))
    .filter(({ price }) => price.currency === present?.currency && price.id !== present.id)
  const offer = offers.find((one) => offerValue(one) === chosen)
  const wanted = {
    ...{ planId: offer?.plan.id ?? '', cycle: offer?.price.cycle ?? 'monthly' },
    mode: isMode(when) ? when : undefined,
  }
  const preview = useQuery({
    ...q('GET /api/billing/subscriptions/{id}/preview-change', { params: { id }, query: wanted }),
    enabled: offer !== undefined,
    staleTime: 0,
  })
  const refresh = useRefresh()
  const change = useAct('POST /api/billing/subscriptions/{id}/change-plan', [
    'GET /api/billing/subscriptions',
    'GET /api/plans',
  ])
  const shown = offer ? preview.data : undefined
  const [block] = shown?.blocked ?? []
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t.changeTitle({ plan: planName, email })}
      verb={t.change}
      kind="primary"
      disabledBecause={
        !offer || !shown ? t.newPlan : block === undefined ? undefined : blockWords(block)
      }
      onConfirm={async () => {
        if (!offer || !shown) return
        const body = { ...wanted, quoteId: shown.quoteId }
        await atShownPrice(
          () => change.mutateAsync({ params: { id }, body }),
          () => Promise.all([preview.refetch(), refresh(['GET /api/plans'])]),
        )
        toastDone(shown.dueNow > 0 ? t.changeAsked : t.changed, offer.plan.name)
      }}
    >
      <Column>
        <Loaded query={plans}>
          {() =>
            offers.length === 0 ? (
              <Text muted>{t.noOtherPlans}</Text>
            ) : (
              <>
                <SelectField
                  label={t.newPlan}
                  width="fill"
                  choices={offerChoices(offers)}
                  value={chosen}
                  onChange={setChosen}
                />
                <SelectField
                  label={t.changeWhen}
                  width="fill"
                  choices={[
                    { value: USUAL, label: t.changeUsual },
                    { value: 'immediate', label: t.changeNow },
                    { value: 'at_period_end', label: t.changeLater },
                  ]}
                  value={when}
                  onChange={setWhen}
                />
              </>
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
