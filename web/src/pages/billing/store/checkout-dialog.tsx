import {
  type Checkout,
  type CheckoutPreview,
  StartCheckout,
  type StorePlan,
} from '@lodge/shared/billing/billing.ts'
import type { Price } from '@lodge/shared/billing/prices.ts'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ApiError, api } from '../../../api.ts'
import { paths } from '../../../paths.ts'
import { q, useRefresh } from '../../../query.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { Form, useForm } from '../../../ui/form/form.tsx'
import { Loaded } from '../../../ui/notices/loaded.tsx'
import { toastDone } from '../../../ui/notices/toast.tsx'
import { Column, Text } from '../../../ui/page/layout.tsx'
import { atShownPrice } from '../at-shown-price.ts'
import { InvoiceLines } from '../invoice-lines.tsx'
import { moneyText, priceText } from '../money-words.ts'
import { t } from '../words.ts'
import { type CheckoutValues, checkoutBody, initialCheckout } from './checkout-values.ts'
import { PlanServerFields } from './plan-server-fields.tsx'
import { TaxPlaceStep } from './tax-place-step.tsx'

interface CheckoutDialogProps {
  plan: StorePlan
  price: Price
  onClose: () => void
}

const PREVIEW = 'GET /api/store/preview-checkout'

/** Buys a plan; for a server plan it asks for the server's details. */
export const CheckoutDialog = (props: CheckoutDialogProps) => (
  <Dialog title={t.buy({ plan: props.plan.name })} opened onClose={props.onClose}>
    <CheckoutSteps {...props} />
  </Dialog>
)

/** Asks for the customer's address first, if the tax depends on it and it is unknown. */
function CheckoutSteps(props: CheckoutDialogProps) {
  const { plan, price } = props
  const { cycle, currency } = price
  const preview = useQuery({
    ...q(PREVIEW, { query: { planId: plan.id, cycle, currency } }),
    staleTime: 0,
    retry: false,
  })
  const { error } = preview
  return error instanceof ApiError && error.problem.code === 'tax_address_needed' ? (
    <TaxPlaceStep why={error.message} />
  ) : (
    <CheckoutForm {...props} preview={preview} />
  )
}

/** The current price; nothing is sold at another price than the one shown. */
function Cost({ cost, price }: { cost: CheckoutPreview; price: Price }) {
  const { lines, total, currency, trialDays } = cost
  const { cycle, amount, setupFee } = price
  if (trialDays > 0)
    return (
      <Column gap={8}>
        <Text strong>{t.trial({ count: trialDays })}</Text>
        <Text muted>
          {t.thenPaid({
            price: priceText(price),
            hasSetup: setupFee > 0 ? 'yes' : 'no',
            setup: moneyText(setupFee, currency),
          })}
        </Text>
        {cost.methodNeeded ? <Text>{t.methodFirst}</Text> : null}
      </Column>
    )
  if (amount === 0 && total === 0) return <Text strong>{t.free}</Text>
  return (
    <Column gap={8}>
      {lines.length > 1 ? (
        <InvoiceLines lines={lines} currency={currency} total={total} totalName={t.dueNow} />
      ) : (
        <Text strong>{moneyText(total, currency)}</Text>
      )}
      <Text muted>{t.paidEvery({ cycle })}</Text>
      {cost.methodNeeded ? <Text>{t.methodFirst}</Text> : null}
    </Column>
  )
}

interface CheckoutFormProps extends CheckoutDialogProps {
  preview: UseQueryResult<CheckoutPreview>
}

function CheckoutForm({ plan, price, preview }: CheckoutFormProps) {
  const navigate = useNavigate()
  const refresh = useRefresh()
  const bodyOf = (values: CheckoutValues) => ({
    ...checkoutBody(plan, price, values),
    total: preview.data?.total,
  })
  const form = useForm<CheckoutValues, Checkout>({
    initial: initialCheckout(plan),
    schema: StartCheckout,
    toBody: bodyOf,
    submit: (values) =>
      atShownPrice(
        () => api('POST /api/store/checkout', { body: StartCheckout.parse(bodyOf(values)) }),
        () => Promise.all([preview.refetch(), refresh(['GET /api/me/store'])]),
      ),
    refreshes: ['GET /api/me/store', 'GET /api/billing', 'GET /api/limits/me'],
    done: ({ status, invoice, methodNeeded }) => {
      if (methodNeeded) toastDone(t.boughtUnpaid, t.methodMissing)
      else if (status === 'completed' || !invoice) toastDone(t.bought({ plan: plan.name }))
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
    <Form
      form={form}
      submitText={t.buy({ plan: plan.name })}
      disabledBecause={preview.data ? undefined : t.costUnknown}
    >
      <Loaded query={preview} lines={2}>
        {(data) => <Cost cost={data} price={price} />}
      </Loaded>
      <PlanServerFields form={form} plan={plan} />
    </Form>
  )
}
