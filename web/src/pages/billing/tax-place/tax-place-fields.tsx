import type { BillingAddress } from '@lodge/shared/billing/billing.ts'
import { SelectField } from '../../../ui/choices/select-field.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { FieldGrid } from '../../../ui/form/fields.tsx'
import type { FormState } from '../../../ui/form/form.tsx'
import { t } from '../words.ts'
import { countryChoices } from './countries.ts'

/** The fields that decide where somebody is taxed. */
export function TaxPlaceFields({ form }: { form: FormState<BillingAddress> }) {
  return (
    <FieldGrid least={200}>
      <SelectField
        label={t.country}
        width="fill"
        searchable
        choices={countryChoices()}
        {...form.field('country')}
      />
      <TextField
        label={t.postalCode}
        width="fill"
        autoComplete="postal-code"
        {...form.field('postalCode')}
      />
      <TextField
        label={t.region}
        width="fill"
        autoComplete="address-level1"
        {...form.field('region')}
      />
      <TextField
        label={t.taxNumber}
        description={t.taxNumberHelp}
        width="fill"
        autoComplete="off"
        {...form.field('taxNumber')}
      />
    </FieldGrid>
  )
}
