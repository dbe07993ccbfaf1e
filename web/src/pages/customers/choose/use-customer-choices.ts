import type { Customer } from '@lodge/shared/accounts.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../../query.ts'
import type { Choice } from '../../../ui/fields/field-props.ts'
import { t } from './words.ts'

const MOST = 50
/** As the API takes. */
const MOST_LETTERS = 100

export const labelOf = ({ email, name }: Pick<Customer, 'email' | 'name'>): string =>
  name === null ? email : t.emailAndName({ email, name })

interface CustomerChoices {
  readonly choices: readonly Choice[]
  readonly onSearch: (text: string) => void
}

/**
 * Customers for a select field, found by name or e-mail while somebody types: the host may have far more
 * than a list can show.
 * @param first choices that stay at the top, whatever is typed
 */
export function useCustomerChoices(first: readonly Choice[] = []): CustomerChoices {
  const [text, setText] = useState('')
  const [offered] = useState(() => new Set<string>())
  const found = useQuery({
    ...q('GET /api/customers', { query: { limit: MOST, ...(text && { q: text }) } }),
    placeholderData: keepPreviousData,
  })
  const customers = (found.data?.items ?? []).map((one) => ({ value: one.id, label: labelOf(one) }))
  const choices = [
    ...first,
    ...customers.filter(({ value }) => !first.some((one) => one.value === value)),
  ]
  return {
    choices,
    onSearch(next) {
      // The field contains the label of whoever is chosen, also once others were searched for.
      for (const { label } of choices) offered.add(label)
      if (!offered.has(next)) setText(next.trim().slice(0, MOST_LETTERS))
    },
  }
}
