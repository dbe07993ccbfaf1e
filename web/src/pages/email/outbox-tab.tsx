import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import { paths } from '../../paths.ts'
import { useList } from '../../session/use-list.ts'
import { ListToolbar, type ViewChange } from '../../ui/data/list-toolbar.tsx'
import { ExportLink } from '../../ui/data/list-tools.tsx'
import { Pager } from '../../ui/data/pager.tsx'
import { Table } from '../../ui/data/table.tsx'
import { TableSkeleton } from '../../ui/data/table-skeleton.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Empty, NoResults } from '../../ui/notices/states.tsx'
import { Card } from '../../ui/page/card.tsx'
import { MessageDialog } from './message-dialog.tsx'
import { outboxColumns, outboxFields } from './outbox-columns.tsx'
import { outboxCsv, outboxQuery } from './outbox-query.ts'
import { outboxSearch } from './outbox-search.ts'
import { t } from './words.ts'

/** Not of the frame around it, which has the same address. */
const OUTBOX = `${paths.email}/` as const

/** Every mail with its delivery state, newest first; the address keeps filter, order and page. */
export default function OutboxTab() {
  const search = useSearch({ from: '/in/admin/email/' })
  const { q: filter = '', sort, after } = search
  const navigate = useNavigate({ from: OUTBOX })
  const [opened, setOpened] = useState<string>()
  const list = useList(
    'outbox',
    useMemo(() => outboxColumns(setOpened), []),
  )
  const fields = useMemo(outboxFields, [])
  const limit = list.kept.pageSize
  const outbox = useQuery({
    ...outboxQuery(search, limit),
    placeholderData: keepPreviousData,
    // The event stream does not report mail deliveries.
    refetchInterval: 10_000,
  })
  /** Another view begins on its first page. */
  const show = useCallback(
    (change: ViewChange) =>
      void navigate({
        search: ({ after: _, ...old }) => outboxSearch({ ...old, ...change }),
        replace: true,
      }),
    [navigate],
  )
  const items = outbox.data?.items ?? []
  const message = items.find(({ id }) => id === opened)
  return (
    <>
      <ListToolbar
        label={t.searchOutbox}
        fields={fields}
        filter={filter}
        sort={sort}
        onShow={show}
        list={list}
        csv={<ExportLink href={outboxCsv(search)} file="outbox.csv" />}
      />
      <Card flush>
        <Loaded query={outbox} skeleton={<TableSkeleton columns={list.columns} />}>
          {() => (
            <Table
              label={t.outbox}
              keys
              waiting={outbox.isPlaceholderData}
              rows={items}
              columns={list.columns}
              onWidth={list.setWidth}
              keyOf={({ id }) => id}
              sorting={{ by: sort, onChange: (by) => show({ sort: by }) }}
              empty={
                filter ? (
                  <NoResults title={t.noMatch({ filter })} onClear={() => show({ q: undefined })} />
                ) : (
                  <Empty title={t.none} art="mail">
                    {t.noneText}
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
        next={outbox.data?.nextCursor ?? null}
        size={{
          rows: limit,
          onChange: (pageSize) => {
            list.keep({ pageSize })
            show({})
          },
        }}
        onGo={(cursor) => void navigate({ search: outboxSearch({ ...search, after: cursor }) })}
      />
      {message ? <MessageDialog message={message} onClose={() => setOpened(undefined)} /> : null}
    </>
  )
}
