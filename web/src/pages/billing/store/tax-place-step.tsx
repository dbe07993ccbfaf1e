import {
  type Billing,
  type BillingAddress,
  EditBillingAddress,
} from '@lodge/shared/billing/billing.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { q } from '../../../query.ts'
import { Form, useForm } from '../../../ui/form/form.tsx'
import { Loaded } from '../../../ui/notices/loaded.tsx'
import { Note } from '../../../ui/notices/note.tsx'
import { TaxPlaceFields } from '../tax-place/tax-place-fields.tsx'
import { t } from '../words.ts'

/**
 * Asks for the customer's address before a purchase. @param why it is needed, or why it is not
 * accepted
 */
export function TaxPlaceStep({ why }: { why: string }) {
  const billing = useQuery(q('GET /api/billing'))
  return (
    <Loaded query={billing} lines={4}>
      {({ address, taxPlace }) => <PlaceForm {...{ address, taxPlace, why }} />}
    </Loaded>
  )
}

type PlaceFormProps = Pick<Billing, 'address' | 'taxPlace'> & { why: string }

function PlaceForm({ address, taxPlace, why }: PlaceFormProps) {
  const form = useForm<BillingAddress, BillingAddress>({
    initial: { address, ...taxPlace },
    schema: EditBillingAddress,
    submit: (body) => api('PUT /api/billing/address', { body }),
    refreshes: ['GET /api/billing', 'GET /api/store/preview-checkout'],
  })
  return (
    <Form
      form={form}
      submitText={t.showCost}
      disabledBecause={form.values.country === '' ? t.chooseCountry : undefined}
    >
      <Note tone={taxPlace.country === '' ? 'info' : 'warn'} role="status">
        {why}
      </Note>
      <TaxPlaceFields form={form} />
    </Form>
  )
}
