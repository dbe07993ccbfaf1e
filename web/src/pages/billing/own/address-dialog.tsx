import { BillingAddress } from '@lodge/shared/billing/billing.ts'
import type { z } from 'zod'
import { api } from '../../../api.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { AreaField } from '../../../ui/fields/area-field.tsx'
import { Form, useForm } from '../../../ui/form/form.tsx'
import { toastDone } from '../../../ui/notices/toast.tsx'
import { t } from '../words.ts'

type Address = z.infer<typeof BillingAddress>

/** Where one's next invoices are addressed to. */
export const AddressDialog = (props: { address: string; onClose: () => void }) => (
  <Dialog title={t.address} opened onClose={props.onClose}>
    <AddressForm {...props} />
  </Dialog>
)

function AddressForm({ address, onClose }: { address: string; onClose: () => void }) {
  const form = useForm<Address, Address>({
    initial: { address },
    schema: BillingAddress,
    submit: (body) => api('PUT /api/billing/address', { body }),
    refreshes: ['GET /api/billing'],
    done: () => {
      toastDone(t.addressSaved)
      onClose()
    },
  })
  return (
    <Form form={form} submitText={t.saveAddress}>
      <AreaField
        label={t.addressLines}
        description={t.addressHelp}
        rows={5}
        width="fill"
        {...form.field('address')}
      />
    </Form>
  )
}
