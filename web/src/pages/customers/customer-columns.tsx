import type { Customer } from '@lodge/shared/accounts.ts'
import type { CustomerField, CustomerSort } from '@lodge/shared/lists/customers.ts'
import { Link } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import type { Column } from '../../ui/data/column.ts'
import type { FilterField } from '../../ui/data/filter-box.tsx'
import { Person } from '../../ui/data/person.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { Unknown } from '../../ui/data/unknown.tsx'
import { Text } from '../../ui/page/layout.tsx'
import { CustomerPill, stateWord } from './customer-pill.tsx'
import { t } from './words.ts'

type CustomerColumn = Column<Customer> & { readonly id: string; readonly sort?: CustomerSort }

/** Every column that the list of customers offers. */
export const customerColumns = (): readonly CustomerColumn[] => [
  {
    id: 'customer',
    header: t.customer,
    role: 'title',
    sort: 'email',
    cell: ({ id, email, name }) => (
      <Person email={email} name={name}>
        <Link to={paths.customer} params={{ id }} data-opens>
          {email}
        </Link>
      </Person>
    ),
  },
  {
    id: 'name',
    header: t.name,
    sort: 'name',
    optional: true,
    cell: ({ name }) => (name === null ? <Unknown why={t.noName} /> : <Text clip>{name}</Text>),
  },
  {
    id: 'state',
    header: t.state,
    sort: 'state',
    tight: true,
    cell: ({ state }) => <CustomerPill state={state} />,
  },
  {
    id: 'servers',
    header: t.servers,
    right: true,
    tight: true,
    cell: ({ servers }) => servers,
  },
  {
    id: 'own-limits',
    header: t.ownLimits,
    right: true,
    tight: true,
    optional: true,
    cell: ({ quota }) => Object.keys(quota).length,
  },
  {
    id: 'since',
    header: t.since,
    sort: 'created',
    highestFirst: true,
    right: true,
    tight: true,
    cell: ({ createdAt }) => <Ago at={createdAt} />,
  },
]

const STATES = ['active', 'suspended', 'pending', 'unverified'] as const

/** The filter fields of the list of customers. */
export const customerFields = (): readonly (FilterField & { readonly name: CustomerField })[] => [
  {
    name: 'state',
    label: t.state,
    chips: ['suspended', 'pending', 'unverified'],
    values: STATES.map((value) => ({ value, label: stateWord(value) })),
  },
  { name: 'email', label: t.email, example: 'email:*@example.com' },
  { name: 'name', label: t.name, example: 'name:ann*' },
]
