import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../../query.ts'
import { useMe } from '../../../session/session.ts'
import { SelectField } from '../../../ui/choices/select-field.tsx'
import type { BoundField } from '../../../ui/fields/field-props.ts'
import { t } from './words.ts'

interface OwnerFieldProps extends BoundField<string> {
  /** The current owner. */
  present?: { readonly id: string; readonly email: string }
}

/** The owner of a server: a customer found by e-mail, or the person who creates it. */
export function OwnerField({ present, ...props }: OwnerFieldProps) {
  const me = useMe()
  const [text, setText] = useState('')
  const found = useQuery({
    ...q('GET /api/customers', {
      query: { limit: 50, ...(text.includes('@') || text === '' ? {} : { q: text }) },
    }),
    placeholderData: keepPreviousData,
  })
  const customers = (found.data?.items ?? []).map(({ id, email, name }) => ({
    value: id,
    label: name === null ? email : t.customer({ email, name }),
  }))
  const now = present && { value: present.id, label: present.email }
  const own = { value: me.id, label: t.you({ email: me.email }) }
  const first = now && now.value !== own.value ? [now, own] : [own]
  const choices = [...first, ...customers.filter(({ value }) => value !== present?.id)]
  return (
    <SelectField
      {...props}
      label={t.owner}
      placeholder={t.searchCustomers}
      searchable
      onSearch={setText}
      choices={choices}
    />
  )
}
