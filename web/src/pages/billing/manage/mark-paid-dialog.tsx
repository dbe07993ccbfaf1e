import type { ManagedInvoice } from '@lodge/shared/billing/billing.ts'
import { z } from 'zod'
import { api } from '../../../api.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { Form, useForm } from '../../../ui/form/form.tsx'
import { toastDone } from '../../../ui/notices/toast.tsx'
import { readAmount, typedAmount } from '../../plans/typed-amount.ts'
import { t } from '../words.ts'

interface MarkPaidDialogProps {
  invoice: ManagedInvoice
  onClose: () => void
}

/** Records a payment for an invoice. */
export const MarkPaidDialog = (props: MarkPaidDialogProps) => (
  <Dialog
    title={t.recordPaymentTitle({ number: props.invoice.number })}
    opened
    onClose={props.onClose}
  >
    <MarkPaidForm {...props} />
  </Dialog>
)

function MarkPaidForm({ invoice, onClose }: MarkPaidDialogProps) {
  const { id, currency, amountDue, number } = invoice
  const read = (typed: string) => readAmount(typed, currency)
  const form = useForm<{ amount: string; reference: string }, ManagedInvoice>({
    initial: { amount: typedAmount(amountDue, currency), reference: '' },
    schema: z.object({
      amount: z.string().refine((typed) => (read(typed) ?? 0) > 0, { error: () => t.notAnAmount }),
      reference: z.string().max(40),
    }),
    submit: ({ amount, reference }) =>
      api('POST /api/billing/invoices/{id}/mark-paid', {
        params: { id },
        body: { amount: read(amount) ?? 0, reference },
      }),
    refreshes: ['GET /api/billing/invoices', 'GET /api/billing/subscriptions'],
    done: () => {
      toastDone(t.paymentRecorded, number)
      onClose()
    },
  })
  return (
    <Form form={form} submitText={t.recordPaymentVerb}>
      <TextField
        label={t.received({ currency })}
        description={t.receivedHelp}
        width="fill"
        autoComplete="off"
        {...form.field('amount')}
      />
      <TextField
        label={t.referenceOptional}
        width="fill"
        autoComplete="off"
        {...form.field('reference')}
      />
    </Form>
  )
}
