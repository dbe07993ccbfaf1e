import type { ManagedInvoice } from '@lodge/shared/billing/billing.ts'
import type { RefundInvoice } from '@lodge/shared/billing/refunds.ts'
import { z } from 'zod'
import { api } from '../../../api.ts'
import { SelectField } from '../../../ui/choices/select-field.tsx'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { Form, useForm } from '../../../ui/form/form.tsx'
import { toastDone } from '../../../ui/notices/toast.tsx'
import { readAmount, typedAmount } from '../../plans/typed-amount.ts'
import { moneyText } from '../money-words.ts'
import { t } from '../words.ts'

interface RefundDialogProps {
  invoice: ManagedInvoice
  onClose: () => void
}

/** Refunds a paid invoice, in whole or in part. */
export const RefundDialog = (props: RefundDialogProps) => (
  <Dialog title={t.refundTitle({ number: props.invoice.number })} opened onClose={props.onClose}>
    <RefundForm {...props} />
  </Dialog>
)

interface Values {
  readonly amount: string
  /** `host`, `balance`, or the id of the payment that its provider refunds. */
  readonly way: string
  readonly subscription: RefundInvoice['subscription']
  readonly reason: string
}

function RefundForm({ invoice, onClose }: RefundDialogProps) {
  const { id, currency, number, refundable, amountCredited, userId, subscriptionId } = invoice
  const left = moneyText(refundable, currency)
  const payments = invoice.payments.filter((one) => one.refundable > 0)
  const read = (typed: string) => readAmount(typed, currency)
  const form = useForm<Values, ManagedInvoice>({
    initial: {
      ...{ amount: typedAmount(payments[0]?.refundable ?? refundable, currency), reason: '' },
      ...{ way: payments[0]?.id ?? 'host', subscription: 'keep' },
    },
    schema: z.object({
      amount: z.string().refine((typed) => (read(typed) ?? 0) > 0, { error: () => t.notAnAmount }),
      way: z.string(),
      subscription: z.string(),
      reason: z.string().max(200),
    }),
    submit: ({ amount, way, subscription, reason }) =>
      api('POST /api/billing/invoices/{id}/refund', {
        params: { id },
        body: {
          ...{ amount: read(amount) ?? 0, subscription, reason },
          ...(way === 'host' || way === 'balance' ? { way } : { way: 'provider', paymentId: way }),
        },
      }),
    refreshes: ['GET /api/billing/invoices', 'GET /api/billing/subscriptions'],
    done: () => {
      toastDone(t.refundBegun, number)
      onClose()
    },
  })
  const way = form.field('way')
  const subscription = form.field('subscription')
  return (
    <Form form={form} submitText={t.refundVerb}>
      <TextField
        label={t.refundAmount({ currency })}
        description={
          amountCredited > 0
            ? t.refundCreditedHelp({ left, credited: moneyText(amountCredited, currency) })
            : t.refundAmountHelp({ left })
        }
        width="fill"
        autoComplete="off"
        {...form.field('amount')}
      />
      <SelectField
        label={t.refundWay}
        width="fill"
        choices={[
          ...payments.map((one) => ({
            value: one.id,
            label: t.refundThrough({
              provider: one.sumOf ?? one.provider,
              left: moneyText(one.refundable, currency),
            }),
          })),
          { value: 'host', label: t.refundByHost },
          ...(userId === null ? [] : [{ value: 'balance', label: t.refundToBalance }]),
        ]}
        value={way.value}
        onChange={(next) => way.onChange(next ?? 'host')}
      />
      {subscriptionId === null ? null : (
        <SelectField
          label={t.refundThen}
          width="fill"
          choices={[
            { value: 'keep', label: t.refundKeep },
            { value: 'end_of_period', label: t.refundEndLater },
            { value: 'now', label: t.refundEndNow },
          ]}
          value={subscription.value}
          onChange={(next) =>
            subscription.onChange(next === 'now' || next === 'end_of_period' ? next : 'keep')
          }
        />
      )}
      <TextField
        label={t.refundReason}
        description={t.refundReasonHelp}
        width="fill"
        {...form.field('reason')}
      />
    </Form>
  )
}
