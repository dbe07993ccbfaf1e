import type { Customer } from '@lodge/shared/accounts.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import { useCallback } from 'react'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { useMay } from '../../session/session.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { Pager } from '../../ui/data/pager.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { SearchBox, Toolbar } from '../../ui/data/toolbar.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Empty, NoResults } from '../../ui/notices/states.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Page } from '../../ui/page/page.tsx'
import { CustomerPill } from './customer-pill.tsx'
import styles from './customers.module.css'

const COLUMNS: readonly Column<Customer>[] = [
  {
    header: 'Customer',
    role: 'title',
    cell: (customer) => (
      <div className={styles.name}>
        <Link to={paths.customer} params={{ id: customer.id }}>
          {customer.email}
        </Link>
        {customer.name === null ? null : <small>{customer.name}</small>}
      </div>
    ),
  },
  {
    header: 'State',
    cell: ({ state }) => <CustomerPill state={state} />,
  },
  { header: 'Servers', right: true, cell: (customer) => customer.servers },
  { header: 'Customer since', right: true, cell: (customer) => <Ago at={customer.createdAt} /> },
]

/** Every customer, with or without servers. */
export default function CustomersPage() {
  const may = useMay()
  const { q: text, after } = useSearch({ from: '/in/admin/customers' })
  const navigate = useNavigate({ from: paths.customers })
  const customers = useQuery({
    ...q('GET /api/customers', {
      query: { limit: 50, ...(text ? { q: text } : {}), ...(after ? { after } : {}) },
    }),
    placeholderData: keepPreviousData,
  })
  const find = useCallback(
    (value: string) => void navigate({ search: value === '' ? {} : { q: value }, replace: true }),
    [navigate],
  )
  const create = may('customers.manage') ? (
    <LinkButton to={paths.newCustomer} kind="primary" icon={<Plus />}>
      New customer
    </LinkButton>
  ) : undefined
  return (
    <Page title="Customers" actions={create}>
      <Toolbar>
        <SearchBox label="Search customers" value={text ?? ''} onChange={find} />
      </Toolbar>
      <Card flush>
        <Loaded query={customers}>
          {({ items }) => (
            <Table
              label="Customers"
              rows={items}
              columns={COLUMNS}
              keyOf={(customer) => customer.id}
              empty={
                text ? (
                  <NoResults what="customers" filter={text} onClear={() => find('')} />
                ) : (
                  <Empty title="No customers yet" art="people" action={create}>
                    Customers sign in and see only their own servers.
                  </Empty>
                )
              }
            />
          )}
        </Loaded>
      </Card>
      <Pager
        shown={customers.data?.items.length ?? 0}
        after={after}
        next={customers.data?.nextCursor ?? null}
        onGo={(cursor) =>
          void navigate({
            search: { ...(text ? { q: text } : {}), ...(cursor ? { after: cursor } : {}) },
          })
        }
      />
    </Page>
  )
}
