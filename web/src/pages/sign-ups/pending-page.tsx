import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
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
import { type Pending, pendingColumns, pendingFields } from './pending-columns.tsx'
import { pendingCsv, pendingQuery } from './pending-query.ts'
import { pendingSearch } from './pending-search.ts'
import { t } from './words.ts'

const BulkSignUps = part(() => import('./bulk-sign-ups.tsx'))

const NOBODY: readonly Pending[] = []

/** Accounts that wait for confirmation or approval; the address keeps filter, order and page. */
export default function PendingPage() {
  const may = useMay()
  const search = useSearch({ from: '/in/admin/pending' })
  const { q: filter = '', sort, after } = search
  const navigate = useNavigate({ from: paths.pending })
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const list = useList('pending', useMemo(pendingColumns, []))
  const fields = useMemo(pendingFields, [])
  const limit = list.kept.pageSize
  const pending = useQuery({
    ...pendingQuery(search, limit),
    placeholderData: keepPreviousData,
  })
  /** Another view begins on its first page. */
  const show = useCallback(
    (change: ViewChange) =>
      void navigate({
        search: ({ after: _, ...old }) => pendingSearch({ ...old, ...change }),
        replace: true,
      }),
    [navigate],
  )
  const items = pending.data?.items ?? NOBODY
  const chosen = items.filter(({ id }) => ids.has(id))
  return (
    <Page
      title={t.pending}
      lead={t.pendingLead}
      actions={
        may('signup.manage') ? <LinkButton to={paths.settings}>{t.settings}</LinkButton> : undefined
      }
    >
      <ListToolbar
        label={t.searchPending}
        fields={fields}
        filter={filter}
        sort={sort}
        onShow={show}
        list={list}
        csv={<ExportLink href={pendingCsv(search)} file="sign-ups.csv" />}
      />
      <Card flush>
        <Loaded query={pending} skeleton={<TableSkeleton columns={list.columns} />}>
          {() => (
            <Table
              label={t.pending}
              keys
              waiting={pending.isPlaceholderData}
              rows={items}
              columns={list.columns}
              onWidth={list.setWidth}
              keyOf={({ id }) => id}
              sorting={{ by: sort, onChange: (by) => show({ sort: by }) }}
              selection={{
                ids,
                onChange: setIds,
                nameOf: (id) => items.find((item) => item.id === id)?.email ?? id,
              }}
              empty={
                filter ? (
                  <NoResults title={t.noMatch({ filter })} onClear={() => show({ q: undefined })} />
                ) : (
                  <Empty title={t.nobody} art="people">
                    {t.nobodyText}
                  </Empty>
                )
              }
            />
          )}
        </Loaded>
      </Card>
      <Pager
        shown={items.length}
        after={after}
        next={pending.data?.nextCursor ?? null}
        size={{
          rows: limit,
          onChange: (pageSize) => {
            list.keep({ pageSize })
            show({})
          },
        }}
        onGo={(cursor) => void navigate({ search: pendingSearch({ ...search, after: cursor }) })}
      />
      {chosen.length > 0 ? (
        <BulkSignUps accounts={chosen} onClear={() => setIds(new Set())} />
      ) : null}
    </Page>
  )
}
