import type { Server } from '@lodge/shared/servers.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useMemo, useState } from 'react'
import { useList } from '../../session/use-list.ts'
import type { Column } from '../../ui/data/column.ts'
import type { FilterField } from '../../ui/data/filter-box.tsx'
import type { ViewChange } from '../../ui/data/list-toolbar.tsx'
import { PagedList } from '../../ui/lists/paged-list.tsx'
import { part } from '../../ui/page/part.tsx'
import {
  type ServersOf,
  type ServersSearch,
  serversCsv,
  serversQuery,
  serversSearch,
} from './servers-query.ts'
import { t } from './words.ts'

const BulkPower = part(() => import('./bulk/bulk-power.tsx'))

const NONE: ReadonlySet<string> = new Set()
const NO_SERVERS: readonly Server[] = []

interface ServerListProps {
  /** What the table lists, for screen readers. */
  label: string
  columns: readonly Column<Server>[]
  fields: readonly FilterField[]
  /** Filter, order and page, from the URL. */
  search: ServersSearch
  /** Must be a stable function: a new one restarts the delay of the filter box. */
  onSearch: (next: (search: ServersSearch) => ServersSearch, way: { replace: boolean }) => void
  /** Restricts the list; absent for all servers. */
  only?: ServersOf
  /** Shown instead of an empty list, unless the filter is the reason. */
  emptyFor: (filter: string) => ReactNode
}

/** A live list of servers with all tools; the URL stores filter, order and page. */
export function ServerList(props: ServerListProps) {
  const { label, columns, fields, search, onSearch, only, emptyFor } = props
  const [selected, setSelected] = useState(NONE)
  const list = useList('servers', columns)
  const servers = useQuery({
    ...serversQuery(search, list.kept.pageSize, only),
    placeholderData: keepPreviousData,
  })
  /** Another filter or order begins on the first page. */
  const show = useCallback(
    (change: ViewChange) =>
      onSearch(({ after: _, ...old }) => serversSearch({ ...old, ...change }), { replace: true }),
    [onSearch],
  )
  const rows = servers.data?.items ?? NO_SERVERS
  const byId = useMemo(() => new Map(rows.map((server) => [server.id, server])), [rows])
  const chosen = useMemo(() => rows.filter(({ id }) => selected.has(id)), [rows, selected])
  return (
    <>
      <PagedList
        label={label}
        searchLabel={t.searchServers}
        fields={fields}
        search={search}
        query={servers}
        keyOf={({ id }) => id}
        list={list}
        onShow={show}
        onGo={(cursor) =>
          onSearch((old) => serversSearch({ ...old, after: cursor }), { replace: false })
        }
        csv={{ href: serversCsv(search, only), file: 'servers.csv' }}
        selection={{
          ids: selected,
          onChange: setSelected,
          nameOf: (id) => byId.get(id)?.name ?? id,
        }}
        noMatch={t.noMatch}
        empty={emptyFor(search.q ?? '')}
      />
      {chosen.length > 0 ? <BulkPower servers={chosen} onClear={() => setSelected(NONE)} /> : null}
    </>
  )
}
