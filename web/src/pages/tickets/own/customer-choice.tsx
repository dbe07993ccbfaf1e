import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../../query.ts'
import { SelectField } from '../../../ui/choices/select-field.tsx'
import { t } from './words.ts'

interface CustomerChoiceProps {
  /** Empty for none. */
  value: string
  onChange: (value: string) => void
}

/** The customer for whom staff opens a ticket, found by name or e-mail. */
export function CustomerChoice({ value, onChange }: CustomerChoiceProps) {
  const [text, setText] = useState('')
  // The label of the chosen customer is no search.
  const words = text.includes('@') ? '' : text.trim()
  const found = useQuery({
    ...q('GET /api/customers', { query: { limit: 50, ...(words && { q: words }) } }),
    placeholderData: keepPreviousData,
  })
  const one = useQuery({
    ...q('GET /api/customers/{id}', { params: { id: value } }),
    enabled: value !== '',
  })
  const items = found.data?.items ?? []
  const chosen = one.data && !items.some(({ id }) => id === value) ? [one.data] : []
  return (
    <SelectField
      label={t.customer}
      description={t.customerHelp}
      placeholder={t.chooseCustomer}
      searchable
      onSearch={setText}
      value={value}
      choices={[...chosen, ...items].map(({ id, email, name }) => ({
        value: id,
        label: name === null ? email : t.customerLabel({ name, email }),
      }))}
      onChange={onChange}
    />
  )
}
