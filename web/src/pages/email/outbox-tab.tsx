import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import { paths } from '../../paths.ts'
import { useList } from '../../session/use-list.ts'
import type { ViewChange } from '../../ui/data/list-toolbar.tsx'
import { PagedList } from '../../ui/lists/paged-list.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { MessageDialog } from './message-dialog.tsx'
import { outboxColumns, outboxFields } from './outbox-columns.tsx'
import { outboxCsv, outboxQuery } from './outbox-query.ts'
import { outboxSearch } from './outbox-search.ts'
import { t } from './words.ts'

/** With a slash, because the frame around it has the same path. */
const OUTBOX = `${paths.email}/` as const

/** Every mail with its delivery state, newest first; the URL stores filter, order and page. */
export default function OutboxTab() {
  const search = useSearch({ from: '/in/admin/email/' })
  const { q: filter = '' } = search
  const navigate = useNavigate({ from: OUTBOX })
  const [opened, setOpened] = useState<string>()
  const list = useList(
    'outbox',
    useMemo(() => outboxColumns(setOpened), []),
  )
  const fields = useMemo(outboxFields, [])
  const outbox = useQuery({
    ...outboxQuery(search, list.kept.pageSize),
    placeholderData: keepPreviousData,
    // The event stream does not report mail deliveries.
    refetchInterval: 10_000,
  })
  /** Another filter or order begins on the first page. */
  const show = useCallback(
    (change: ViewChange) =>
      void navigate({
        search: ({ after: _, ...old }) => outboxSearch({ ...old, ...change }),
        replace: true,
      }),
    [navigate],
  )
  const message = outbox.data?.items.find(({ id }) => id === opened)
  return (
    <>
      <PagedList
        label={t.outbox}
        searchLabel={t.searchOutbox}
        fields={fields}
        search={search}
        query={outbox}
        keyOf={({ id }) => id}
        list={list}
        onShow={show}
        onGo={(cursor) => void navigate({ search: outboxSearch({ ...search, after: cursor }) })}
        csv={{ href: outboxCsv(search), file: 'outbox.csv' }}
        noMatch={t.noMatch}
        empty={
          filter ? undefined : (
            <Empty title={t.none} art="mail">
              {t.noneText}
            </Empty>
          )
        }
      />
      {message ? <MessageDialog message={message} onClose={() => setOpened(undefined)} /> : null}
    </>
  )
}
