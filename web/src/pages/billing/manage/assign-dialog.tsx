import type { ManagedSubscription, StorePlan } from '@lodge/shared/billing/billing.ts'
import { AssignPlan } from '@lodge/shared/billing/grants.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../../../api.ts'
import { q } from '../../../query.ts'
import { SelectField } from '../../../ui/choices/select-field.tsx'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import type { BoundField } from '../../../ui/fields/field-props.ts'
import { NumberField } from '../../../ui/fields/measure-fields.tsx'
import { Form, useForm } from '../../../ui/form/form.tsx'
import { Loaded } from '../../../ui/notices/loaded.tsx'
import { toastDone } from '../../../ui/notices/toast.tsx'
import { Column, Text } from '../../../ui/page/layout.tsx'
import { useCustomerChoices } from '../../customers/choose/use-customer-choices.ts'
import { dayText, priceText } from '../money-words.ts'
import { type CheckoutValues, initialCheckout, serverBody } from '../store/checkout-values.ts'
import { PlanServerFields } from '../store/plan-server-fields.tsx'
import { t } from '../words.ts'

/** Gives a customer a plan, also one that nobody can buy. */
export const AssignDialog = ({ onClose }: { onClose: () => void }) => (
  <Dialog title={t.assignTitle} opened onClose={onClose}>
    <AssignSteps onClose={onClose} />
  </Dialog>
)

function AssignSteps({ onClose }: { onClose: () => void }) {
  const plans = useQuery(q('GET /api/billing/plans'))
  const [planId, setPlanId] = useState('')
  return (
    <Loaded query={plans} lines={4}>
      {({ items }) => {
        const plan = items.find(({ id }) => id === planId)
        return items.length === 0 ? (
          <Text muted>{t.noPlans}</Text>
        ) : (
          <Column>
            <SelectField
              label={t.plan}
              width="fill"
              searchable
              choices={items.map(({ id, name }) => ({ value: id, label: name }))}
              value={planId}
              onChange={setPlanId}
            />
            {plan ? <AssignForm key={plan.id} plan={plan} onClose={onClose} /> : null}
          </Column>
        )
      }}
    </Loaded>
  )
}

interface Values extends CheckoutValues {
  readonly userId: string
  /** Empty for a gift. */
  readonly priceId: string
  readonly freeDays: number | undefined
  /** A server that is kept; empty for a new one. */
  readonly serverId: string
}

function AssignForm({ plan, onClose }: { plan: StorePlan; onClose: () => void }) {
  const bodyOf = ({ userId, priceId, freeDays, serverId, ...rest }: Values) => {
    const price = plan.prices.find(({ id }) => id === priceId)
    return {
      ...{ userId, planId: plan.id },
      ...(serverId === '' ? serverBody(plan, rest) : { serverId }),
      price: price ? { cycle: price.cycle, currency: price.currency, freeDays } : null,
    }
  }
  const form = useForm<Values, ManagedSubscription>({
    initial: { ...initialCheckout(plan), userId: '', priceId: '', freeDays: 0, serverId: '' },
    schema: AssignPlan,
    toBody: bodyOf,
    submit: (values) =>
      api('POST /api/billing/subscriptions', { body: AssignPlan.parse(bodyOf(values)) }),
    refreshes: ['GET /api/billing/subscriptions', 'GET /api/billing/invoices', 'GET /api/servers'],
    done: ({ email }) => {
      toastDone(t.assigned({ plan: plan.name }), email)
      onClose()
    },
  })
  const { userId } = form.values
  return (
    <Form
      form={form}
      submitText={t.assignVerb}
      disabledBecause={userId === '' ? t.chooseCustomer : undefined}
    >
      <CustomerField {...form.field('userId')} />
      <SelectField
        label={t.price}
        width="fill"
        choices={[
          { value: 'gift', label: t.gift },
          ...plan.prices.map((price) => ({ value: price.id, label: priceText(price) })),
        ]}
        value={form.values.priceId || 'gift'}
        onChange={(next) => form.field('priceId').onChange(next === 'gift' ? '' : next)}
      />
      {form.values.priceId === '' ? (
        <Text muted>{t.giftHelp}</Text>
      ) : (
        <NumberField
          label={t.freeDays}
          description={t.freeDaysHelp}
          width="fill"
          {...form.field('freeDays', 'price/freeDays')}
        />
      )}
      <KeptServerField key={userId} plan={plan} userId={userId} {...form.field('serverId')} />
      {form.values.serverId === '' ? <PlanServerFields form={form} plan={plan} /> : null}
    </Form>
  )
}

interface KeptServerFieldProps extends BoundField<string> {
  plan: StorePlan
  userId: string
}

/** A server of the customer that is about to be deleted, instead of a new one; nothing if there is none. */
function KeptServerField({ plan, userId, value, onChange, ...rest }: KeptServerFieldProps) {
  const servers = useQuery({
    ...q('GET /api/servers', { query: { ownerId: userId, limit: 100 } }),
    enabled: userId !== '' && plan.preset !== null,
  })
  const kind = plan.preset?.vm === undefined ? 'container' : 'vm'
  const kept = (servers.data?.items ?? []).filter(
    (one) => one.deleteAt !== null && one.kind === kind,
  )
  const isKnown = kept.some(({ id }) => id === value)
  useEffect(() => {
    // Of a customer who was chosen before.
    if (value !== '' && !isKnown && servers.isSuccess) onChange('')
  }, [value, isKnown, servers.isSuccess, onChange])
  if (kept.length === 0) return null
  return (
    <SelectField
      {...rest}
      label={t.serverOf}
      description={t.keptServerHelp}
      width="fill"
      choices={[
        { value: 'new', label: t.newServer },
        ...kept.map(({ id, name, deleteAt }) => ({
          value: id,
          label: t.keptServer({ name, when: dayText(deleteAt ?? '') }),
        })),
      ]}
      value={value || 'new'}
      onChange={(next) => onChange(next === 'new' ? '' : next)}
    />
  )
}

/** A customer, found by name or e-mail. */
function CustomerField(props: BoundField<string>) {
  const found = useCustomerChoices()
  return (
    <SelectField
      {...props}
      {...found}
      label={t.customer}
      width="fill"
      placeholder={t.searchCustomers}
      searchable
    />
  )
}
