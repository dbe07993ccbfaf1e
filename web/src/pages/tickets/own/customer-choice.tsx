import { useQuery } from '@tanstack/react-query'
import { q } from '../../../query.ts'
import { SelectField } from '../../../ui/choices/select-field.tsx'
import { labelOf, useCustomerChoices } from '../../customers/choose/use-customer-choices.ts'
import { t } from './words.ts'

interface CustomerChoiceProps {
  /** Empty for none. */
  value: string
  onChange: (value: string) => void
}

/** The customer for whom staff opens a ticket, found by name or e-mail. */
export function CustomerChoice({ value, onChange }: CustomerChoiceProps) {
  const chosen = useQuery({
    ...q('GET /api/customers/{id}', { params: { id: value } }),
    enabled: value !== '',
  })
  const found = useCustomerChoices(
    chosen.data ? [{ value: chosen.data.id, label: labelOf(chosen.data) }] : [],
  )
  return (
    <SelectField
      {...found}
      label={t.customer}
      description={t.customerHelp}
      placeholder={t.chooseCustomer}
      searchable
      value={value}
      onChange={onChange}
    />
  )
}
