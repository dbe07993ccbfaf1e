import { type InvoiceField, OVERDUE, type SubscriptionField } from '@lodge/shared/lists/billing.ts'
import { useCallback } from 'react'
import { FilterBox, type FilterField } from '../../../ui/data/filter-box.tsx'
import type { ViewChange } from '../../../ui/data/list-toolbar.tsx'
import { Toolbar } from '../../../ui/data/toolbar.tsx'
import { NoResults } from '../../../ui/notices/states.tsx'
import { subscriptionStatuses } from '../status-pill.tsx'
import { t } from '../words.ts'

const CUSTOMER = () =>
  ({ name: 'customer', label: t.customer, example: 'customer:*@example.com' }) as const
const PLAN = () => ({ name: 'plan', label: t.plan, example: 'plan:small*' }) as const
const CURRENCY = () => ({ name: 'currency', label: t.inCurrency, example: 'currency:eur' }) as const

/** The filter fields of the list of invoices. */
export const invoiceFields = (): (FilterField & { readonly name: InvoiceField })[] => [
  {
    name: 'status',
    label: t.status,
    chips: [OVERDUE, 'open'],
    values: [
      { value: OVERDUE, label: t.overdue },
      { value: 'open', label: t.open },
      { value: 'paid', label: t.paid },
      { value: 'void', label: t.voided },
    ],
  },
  CUSTOMER(),
  PLAN(),
  CURRENCY(),
  { name: 'number', label: t.number, example: 'number:*000123' },
]

/** The filter fields of the list of subscribers. */
export const subscriptionFields = (): (FilterField & { readonly name: SubscriptionField })[] => [
  {
    name: 'status',
    label: t.status,
    chips: ['past_due', 'suspended'],
    values: subscriptionStatuses(),
  },
  CUSTOMER(),
  PLAN(),
  CURRENCY(),
]

interface ListFilterProps {
  /** What is searched, such as `Search invoices`. */
  label: string
  fields: readonly FilterField[]
  filter: string
  onShow: (change: ViewChange) => void
}

export function ListFilter({ label, fields, filter, onShow }: ListFilterProps) {
  const onChange = useCallback((text: string | undefined) => onShow({ q: text }), [onShow])
  return (
    <Toolbar>
      <FilterBox label={label} fields={fields} value={filter} onChange={onChange} />
    </Toolbar>
  )
}

/** Instead of a list of which nothing matches. */
export const NoMatch = ({ filter, onShow }: Pick<ListFilterProps, 'filter' | 'onShow'>) => (
  <NoResults title={t.noMatch({ filter })} onClear={() => onShow({ q: undefined })} />
)
