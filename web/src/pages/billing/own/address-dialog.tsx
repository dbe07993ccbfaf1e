import {
  type Billing,
  type BillingAddress,
  EditBillingAddress,
} from '@lodge/shared/billing/billing.ts'
import { api } from '../../../api.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { AreaField } from '../../../ui/fields/area-field.tsx'
import { Form, useForm } from '../../../ui/form/form.tsx'
import { toastDone } from '../../../ui/notices/toast.tsx'
import { TaxPlaceFields } from '../tax-place/tax-place-fields.tsx'
import { t } from '../words.ts'

interface AddressDialogProps {
  billing: Pick<Billing, 'address' | 'taxPlace' | 'taxByPlace'>
  onClose: () => void
}

/** The caller's address for future invoices, and for their tax if that depends on it. */
export const AddressDialog = (props: AddressDialogProps) => (
  <Dialog title={t.address} opened onClose={props.onClose}>
    <AddressForm {...props} />
  </Dialog>
)

function AddressForm({ billing, onClose }: AddressDialogProps) {
  const { address, taxPlace, taxByPlace } = billing
  const form = useForm<BillingAddress, BillingAddress>({
    initial: { address, ...taxPlace },
    schema: EditBillingAddress,
    submit: (body) => api('PUT /api/billing/address', { body }),
    refreshes: ['GET /api/billing', 'GET /api/billing/preview-change'],
    done: () => {
      toastDone(t.addressSaved)
      onClose()
    },
  })
  return (
    <Form form={form} submitText={t.saveAddress}>
      <AreaField
        label={t.addressLines}
        description={taxByPlace ? t.addressShort : t.addressHelp}
        rows={5}
        width="fill"
        {...form.field('address')}
      />
      {taxByPlace ? <TaxPlaceFields form={form} /> : null}
    </Form>
  )
}
