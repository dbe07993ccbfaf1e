import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
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
import { type Pending, pendingColumns, pendingFields } from './pending-columns.tsx'
import { pendingCsv, pendingQuery } from './pending-query.ts'
import { pendingSearch } from './pending-search.ts'
import { t } from './words.ts'

const BulkSignUps = part(() => import('./bulk-sign-ups.tsx'))

const NOBODY: readonly Pending[] = []

/** Accounts that wait for confirmation or approval; the URL stores filter, order and page. */
export default function PendingPage() {
  const may = useMay()
  const search = useSearch({ from: '/in/admin/pending' })
  const { q: filter = '' } = search
  const navigate = useNavigate({ from: paths.pending })
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const list = useList('pending', useMemo(pendingColumns, []))
  const fields = useMemo(pendingFields, [])
  const pending = useQuery({
    ...pendingQuery(search, list.kept.pageSize),
    placeholderData: keepPreviousData,
  })
  /** Another filter or order begins on the first page. */
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
      <PagedList
        label={t.pending}
        searchLabel={t.searchPending}
        fields={fields}
        search={search}
        query={pending}
        keyOf={({ id }) => id}
        list={list}
        onShow={show}
        onGo={(cursor) => void navigate({ search: pendingSearch({ ...search, after: cursor }) })}
        csv={{ href: pendingCsv(search), file: 'sign-ups.csv' }}
        selection={{
          ids,
          onChange: setIds,
          nameOf: (id) => items.find((item) => item.id === id)?.email ?? id,
        }}
        noMatch={t.noMatch}
        empty={
          filter ? undefined : (
            <Empty title={t.nobody} art="people">
              {t.nobodyText}
            </Empty>
          )
        }
      />
      {chosen.length > 0 ? (
        <BulkSignUps accounts={chosen} onClear={() => setIds(new Set())} />
      ) : null}
    </Page>
  )
}
