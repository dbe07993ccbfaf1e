import type { Customer } from '@lodge/shared/accounts.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import { useCallback, useMemo, useState } from 'react'
import { paths } from '../../paths.ts'
import { useMay } from '../../session/session.ts'
import { useList } from '../../session/use-list.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { ListToolbar, type ViewChange } from '../../ui/data/list-toolbar.tsx'
import { ExportLink } from '../../ui/data/list-tools.tsx'
import { Pager } from '../../ui/data/pager.tsx'
import { Table } from '../../ui/data/table.tsx'
import { TableSkeleton } from '../../ui/data/table-skeleton.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Empty, NoResults } from '../../ui/notices/states.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Page } from '../../ui/page/page.tsx'
import { part } from '../../ui/page/part.tsx'
import { customerColumns, customerFields } from './customer-columns.tsx'
import { customersCsv, customersQuery } from './customers-query.ts'
import { customersSearch } from './customers-search.ts'
import { t } from './words.ts'

const BulkCustomers = part(() => import('./bulk-customers.tsx'))

const NONE: ReadonlySet<string> = new Set()
const NOBODY: readonly Customer[] = []

/** Every customer, with or without servers; the address keeps filter, order and page. */
export default function CustomersPage() {
  const may = useMay()
  const search = useSearch({ from: '/in/admin/customers' })
  const navigate = useNavigate({ from: paths.customers })
  const [selected, setSelected] = useState(NONE)
  const { q: filter = '', sort, after } = search
  const columns = useMemo(customerColumns, [])
  const fields = useMemo(customerFields, [])
  const list = useList('customers', columns)
  const customers = useQuery({
    ...customersQuery(search, list.kept.pageSize),
    placeholderData: keepPreviousData,
  })
  /** Another view begins on its first page. */
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
      <ListToolbar
        label={t.search}
        fields={fields}
        filter={filter}
        sort={sort}
        onShow={show}
        list={list}
        csv={<ExportLink href={customersCsv(search)} file="customers.csv" />}
      />
      <Card flush>
        <Loaded query={customers} skeleton={<TableSkeleton columns={list.columns} />}>
          {({ items }) => (
            <Table
              label={t.customers}
              keys
              waiting={customers.isPlaceholderData}
              rows={items}
              columns={list.columns}
              onWidth={list.setWidth}
              keyOf={(customer) => customer.id}
              sorting={{ by: sort, onChange: (by) => show({ sort: by }) }}
              {...(may('customers.manage') || may('customers.approve') ? { selection } : {})}
              empty={
                filter ? (
                  <NoResults title={t.noMatch({ filter })} onClear={() => show({ q: undefined })} />
                ) : (
                  <Empty title={t.none} art="people" action={create}>
                    {t.noneText}
                  </Empty>
                )
              }
            />
          )}
        </Loaded>
      </Card>
      <Pager
        shown={rows.length}
        after={after}
        next={customers.data?.nextCursor ?? null}
        size={{
          rows: list.kept.pageSize,
          onChange: (pageSize) => {
            list.keep({ pageSize })
            show({})
          },
        }}
        onGo={(cursor) => void navigate({ search: customersSearch({ ...search, after: cursor }) })}
      />
      {chosen.length > 0 ? (
        <BulkCustomers customers={chosen} onClear={() => setSelected(NONE)} />
      ) : null}
    </Page>
  )
}
