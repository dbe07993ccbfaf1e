import { SERVER_STATUSES } from '@lodge/shared/server-status.ts'
import type { ServerStatus } from '@lodge/shared/servers.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import { useCallback, useMemo, useState } from 'react'
import { paths } from '../../paths.ts'
import { useMay, useMe } from '../../session/session.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { Segments } from '../../ui/choices/segments.tsx'
import { Pager } from '../../ui/data/pager.tsx'
import { serverWord } from '../../ui/data/status.tsx'
import { Table } from '../../ui/data/table.tsx'
import { Chips, SearchBox, Toolbar } from '../../ui/data/toolbar.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Empty, NoResults } from '../../ui/notices/states.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Page } from '../../ui/page/page.tsx'
import { BulkPower } from './bulk-power.tsx'
import { Invitations } from './invitations.tsx'
import { NewOwnButton } from './new-own-button.tsx'
import { serverColumns } from './server-columns.tsx'
import { serversQuery } from './servers-query.ts'
import { UsageStrip } from './usage-strip.tsx'

const OFFERED: readonly ServerStatus[] = [
  'running',
  'stopped',
  'crashed',
  'installing',
  'suspended',
]
const CHOICES = OFFERED.map((value) => ({ value, label: serverWord(value) }))
const WHOSE = [
  { value: 'all', label: 'All' },
  { value: 'own', label: 'Mine' },
  { value: 'shared', label: 'Shared with me' },
] as const
const NONE: ReadonlySet<string> = new Set()

/** Every server this person may see, live; the address keeps filters and page. */
export default function ServersPage() {
  const me = useMe()
  const may = useMay()
  const search = useSearch({ from: '/in/servers' })
  const navigate = useNavigate({ from: paths.servers })
  const [selected, setSelected] = useState(NONE)
  const { q: text, status, node, relation, after } = search
  const servers = useQuery({ ...serversQuery(search), placeholderData: keepPreviousData })
  const customer = me.role === 'customer'
  const columns = useMemo(
    () => serverColumns(customer ? { withOwner: false, customerId: me.id } : { withOwner: true }),
    [customer, me.id],
  )
  const show = useCallback(
    (change: Partial<Record<'q' | 'status' | 'node' | 'relation', string | undefined>>) => {
      const next = { ...search, after: undefined, ...change }
      void navigate({
        search: Object.fromEntries(Object.entries(next).filter(([, value]) => value)),
        replace: true,
      })
    },
    [navigate, search],
  )
  const find = useCallback((value: string) => show({ q: value }), [show])
  const rows = servers.data?.items ?? []
  const chosen = rows.filter((server) => selected.has(server.id))
  const statuses = (status ?? '')
    .split(',')
    .filter((one) => SERVER_STATUSES.some((known) => known === one))
  const filter = [text, status && `state: ${status}`, node && 'this node', relation]
    .filter(Boolean)
    .join(', ')
  const create = may('servers.create') ? (
    <LinkButton to={paths.newServer} kind="primary" icon={<Plus />}>
      New server
    </LinkButton>
  ) : customer ? (
    <NewOwnButton />
  ) : undefined

  return (
    <Page title="Servers" actions={create}>
      <Invitations />
      {customer ? <UsageStrip /> : null}
      <Toolbar>
        <SearchBox label="Search servers" value={text ?? ''} onChange={find} />
        {customer ? (
          <Segments
            label="Whose servers"
            value={relation ?? 'all'}
            choices={WHOSE}
            onChange={(next) => show({ relation: next === 'all' ? undefined : next })}
          />
        ) : null}
        <Chips
          label="State"
          choices={CHOICES}
          chosen={statuses}
          onChange={(list) => show({ status: list.join(',') })}
        />
        {node ? (
          <Chips
            label="Node"
            choices={[{ value: node, label: rows[0]?.nodeName ?? 'One node' }]}
            chosen={[node]}
            onChange={() => show({ node: undefined })}
          />
        ) : null}
      </Toolbar>
      <Card flush>
        <Loaded query={servers} lines={8}>
          {(list) => (
            <Table
              label="Servers"
              rows={list.items}
              columns={columns}
              keyOf={(server) => server.id}
              selection={{
                ids: selected,
                onChange: setSelected,
                nameOf: (id) => rows.find((row) => row.id === id)?.name ?? id,
              }}
              empty={
                filter ? (
                  <NoResults
                    what="servers"
                    filter={filter}
                    onClear={() =>
                      show({
                        q: undefined,
                        status: undefined,
                        node: undefined,
                        relation: undefined,
                      })
                    }
                  />
                ) : (
                  <Empty title="No servers yet" art="servers" action={create}>
                    {customer
                      ? 'Servers that you create, that are created for you and that others share with you appear here.'
                      : 'A server runs one program from a template on one of your nodes.'}
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
        onGo={(cursor) => void navigate({ search: { ...search, after: cursor } as typeof search })}
      />
      {chosen.length > 0 ? <BulkPower servers={chosen} onClear={() => setSelected(NONE)} /> : null}
    </Page>
  )
}
