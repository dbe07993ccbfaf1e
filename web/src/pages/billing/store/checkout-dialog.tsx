import { type Checkout, StartCheckout, type StorePlan } from '@lodge/shared/billing/billing.ts'
import type { Price } from '@lodge/shared/billing/prices.ts'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../../api.ts'
import { paths } from '../../../paths.ts'
import { SelectField } from '../../../ui/choices/select-field.tsx'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { Form, useForm } from '../../../ui/form/form.tsx'
import { toastDone } from '../../../ui/notices/toast.tsx'
import { Text } from '../../../ui/page/layout.tsx'
import { moneyText } from '../money-words.ts'
import { t } from '../words.ts'
import { type CheckoutValues, checkoutBody, initialCheckout } from './checkout-values.ts'
import { MachineAccessFields } from './machine-access-fields.tsx'

interface CheckoutDialogProps {
  plan: StorePlan
  price: Price
  onClose: () => void
}

/** Buys a plan; a server plan asks what its server is to be. */
export const CheckoutDialog = (props: CheckoutDialogProps) => (
  <Dialog title={t.buy({ plan: props.plan.name })} opened onClose={props.onClose}>
    <CheckoutForm {...props} />
  </Dialog>
)

function CheckoutForm({ plan, price }: CheckoutDialogProps) {
  const navigate = useNavigate()
  const bodyOf = (values: CheckoutValues) => checkoutBody(plan, price, values)
  const isMachine = plan.preset?.vm !== undefined
  const form = useForm<CheckoutValues, Checkout>({
    initial: initialCheckout(plan),
    schema: StartCheckout,
    toBody: bodyOf,
    submit: (values) =>
      api('POST /api/store/checkout', { body: StartCheckout.parse(bodyOf(values)) }),
    refreshes: ['GET /api/me/store', 'GET /api/billing', 'GET /api/limits/me'],
    done: ({ status, invoice }) => {
      if (status === 'completed' || !invoice) toastDone(t.bought({ plan: plan.name }))
      else
        toastDone(
          t.boughtUnpaid,
          t.boughtUnpaidText({
            number: invoice.number,
            amount: moneyText(invoice.amountDue, invoice.currency),
          }),
        )
      void navigate({ to: paths.billing })
    },
  })
  return (
    <Form form={form} submitText={t.buy({ plan: plan.name })}>
      <Text strong>{moneyText(price.amount, price.currency)}</Text>
      <Text muted>{t.paidEvery({ cycle: price.cycle })}</Text>
      {plan.preset ? (
        <>
          <TextField
            label={t.serverName}
            autoComplete="off"
            width="fill"
            {...form.field('name', 'server/name')}
          />
          {isMachine && plan.templates.length < 2 ? null : (
            <SelectField
              label={isMachine ? t.hardware : t.template}
              width="fill"
              choices={plan.templates.map(({ id, name }) => ({ value: id, label: name }))}
              {...form.field('templateId', 'server/templateId')}
            />
          )}
          {isMachine ? <MachineAccessFields form={form} media={plan.media} /> : null}
          {plan.locations.length < 2 ? null : (
            <SelectField
              label={t.location}
              width="fill"
              placeholder={t.anyLocation}
              choices={plan.locations.map((name) => ({ value: name, label: name }))}
              {...form.field('location', 'server/location')}
            />
          )}
        </>
      ) : null}
    </Form>
  )
}
