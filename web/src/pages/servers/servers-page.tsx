import { writeFilter } from '@lodge/shared/lists/filter.ts'
import type { Server } from '@lodge/shared/servers.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import { useCallback, useMemo, useState } from 'react'
import { paths } from '../../paths.ts'
import { useMay, useMe } from '../../session/session.ts'
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
import { Invitations } from './invitations/invitations.tsx'
import { NewOwnButton } from './new-own-button.tsx'
import { allServerColumns } from './server-columns.tsx'
import { customerFields, hostFields } from './server-fields.ts'
import { serversCsv, serversQuery, serversSearch } from './servers-query.ts'
import { UsageStrip } from './usage-strip.tsx'
import { t } from './words.ts'

const BulkPower = part(() => import('./bulk/bulk-power.tsx'))

/** What the own side of an administrator shows. */
const OWN = writeFilter([{ field: 'whose', values: ['mine'] }])
const NONE: ReadonlySet<string> = new Set()
const NO_SERVERS: readonly Server[] = []

/** Every server this person may see, live; the address keeps filter, order and page. */
export default function ServersPage() {
  const me = useMe()
  const may = useMay()
  const search = useSearch({ from: '/in/servers' })
  const navigate = useNavigate({ from: paths.servers })
  const [selected, setSelected] = useState(NONE)
  const { q: filter = '', sort, after } = search
  const customer = me.role === 'customer'
  const all = useMemo(
    () =>
      allServerColumns(customer ? { withOwner: false, customerId: me.id } : { withOwner: true }),
    [customer, me.id],
  )
  const fields = useMemo(() => (customer ? customerFields() : hostFields()), [customer])
  const list = useList('servers', all)
  const servers = useQuery({
    ...serversQuery(search, list.kept.pageSize),
    placeholderData: keepPreviousData,
  })
  /** Another view begins on its first page. */
  const show = useCallback(
    (change: ViewChange) =>
      void navigate({
        search: ({ after: _, ...old }) => serversSearch({ ...old, ...change }),
        replace: true,
      }),
    [navigate],
  )
  const rows = servers.data?.items ?? NO_SERVERS
  const byId = useMemo(() => new Map(rows.map((server) => [server.id, server])), [rows])
  const chosen = useMemo(() => rows.filter(({ id }) => selected.has(id)), [rows, selected])
  const create = may('servers.create') ? (
    <LinkButton to={paths.newServer} kind="primary" icon={<Plus />}>
      {t.newServer}
    </LinkButton>
  ) : customer ? (
    <NewOwnButton />
  ) : undefined

  return (
    <Page title={t.servers} actions={create}>
      <Invitations />
      {customer ? <UsageStrip /> : null}
      <ListToolbar
        label={t.searchServers}
        fields={fields}
        filter={filter}
        sort={sort}
        onShow={show}
        list={list}
        csv={<ExportLink href={serversCsv(search)} file="servers.csv" />}
      />
      <Card flush>
        <Loaded query={servers} skeleton={<TableSkeleton columns={list.columns} />}>
          {({ items }) => (
            <Table
              label={t.servers}
              keys
              waiting={servers.isPlaceholderData}
              rows={items}
              columns={list.columns}
              onWidth={list.setWidth}
              keyOf={(server) => server.id}
              sorting={{ by: sort, onChange: (by) => show({ sort: by }) }}
              selection={{
                ids: selected,
                onChange: setSelected,
                nameOf: (id) => byId.get(id)?.name ?? id,
              }}
              empty={
                filter === OWN ? (
                  <Empty title={t.noneOwned} art="servers" action={create}>
                    {t.noneOwnedText}
                  </Empty>
                ) : filter ? (
                  <NoResults title={t.noMatch({ filter })} onClear={() => show({ q: undefined })} />
                ) : (
                  <Empty title={t.none} art="servers" action={create}>
                    {customer ? t.noneTextCustomer : t.noneText}
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
        next={servers.data?.nextCursor ?? null}
        size={{
          rows: list.kept.pageSize,
          onChange: (pageSize) => {
            list.keep({ pageSize })
            show({})
          },
        }}
        onGo={(cursor) => void navigate({ search: serversSearch({ ...search, after: cursor }) })}
      />
      {chosen.length > 0 ? <BulkPower servers={chosen} onClear={() => setSelected(NONE)} /> : null}
    </Page>
  )
}
