import type { Customer } from '@lodge/shared/accounts.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import { useCallback, useMemo, useState } from 'react'
import { paths } from '../../paths.ts'
import { useMay } from '../../session/session.ts'
import { useList } from '../../session/use-list.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import type { ViewChange } from '../../ui/data/list-toolbar.tsx'
import { PagedList } from '../../ui/lists/paged-list.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { Page } from '../../ui/page/page.tsx'
import { part } from '../../ui/page/part.tsx'
import { customerColumns, customerFields } from './customer-columns.tsx'
import { customersCsv, customersQuery } from './customers-query.ts'
import { customersSearch } from './customers-search.ts'
import { t } from './words.ts'

const BulkCustomers = part(() => import('./bulk-customers.tsx'))

const NONE: ReadonlySet<string> = new Set()
const NOBODY: readonly Customer[] = []

/** Every customer, with or without servers; the URL stores filter, order and page. */
export default function CustomersPage() {
  const may = useMay()
  const search = useSearch({ from: '/in/admin/customers' })
  const navigate = useNavigate({ from: paths.customers })
  const [selected, setSelected] = useState(NONE)
  const { q: filter = '' } = search
  const columns = useMemo(customerColumns, [])
  const fields = useMemo(customerFields, [])
  const list = useList('customers', columns)
  const customers = useQuery({
    ...customersQuery(search, list.kept.pageSize),
    placeholderData: keepPreviousData,
  })
  /** Another filter or order begins on the first page. */
  const show = useCallback(
    (change: ViewChange) =>
      void navigate({
        search: ({ after: _, ...old }) => customersSearch({ ...old, ...change }),
        replace: true,
      }),
    [navigate],
  )
  const rows = customers.data?.items ?? NOBODY
  const byId = useMemo(() => new Map(rows.map((customer) => [customer.id, customer])), [rows])
  const chosen = useMemo(() => rows.filter(({ id }) => selected.has(id)), [rows, selected])
  const create = may('customers.manage') ? (
    <LinkButton to={paths.newCustomer} kind="primary" icon={<Plus />}>
      {t.newCustomer}
    </LinkButton>
  ) : undefined
  const selection = {
    ids: selected,
    onChange: setSelected,
    nameOf: (id: string) => byId.get(id)?.email ?? id,
  }
  return (
    <Page title={t.customers} actions={create}>
      <PagedList
        label={t.customers}
        searchLabel={t.search}
        fields={fields}
        search={search}
        query={customers}
        keyOf={({ id }) => id}
        list={list}
        onShow={show}
        onGo={(cursor) => void navigate({ search: customersSearch({ ...search, after: cursor }) })}
        csv={{ href: customersCsv(search), file: 'customers.csv' }}
        selection={may('customers.manage') || may('customers.approve') ? selection : undefined}
        noMatch={t.noMatch}
        empty={
          filter ? undefined : (
            <Empty title={t.none} art="people" action={create}>
              {t.noneText}
            </Empty>
          )
        }
      />
      {chosen.length > 0 ? (
        <BulkCustomers customers={chosen} onClear={() => setSelected(NONE)} />
      ) : null}
    </Page>
  )
}
