import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { useMay } from '../../session/session.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { Table } from '../../ui/data/table.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { Card } from '../../ui/page/card.tsx'
import { serverColumns } from '../servers/server-columns.tsx'
import { useCustomer } from './use-customer.ts'
import { t } from './words.ts'

/** The servers of a customer. */
export default function ServersTab() {
  const { id, email, state } = useCustomer()
  const may = useMay()
  const columns = useMemo(() => serverColumns({ withOwner: false }), [])
  const servers = useQuery(q('GET /api/servers', { query: { ownerId: id, limit: 100 } }))
  return (
    <Card flush>
      <Loaded query={servers}>
        {({ items }) => (
          <Table
            label={t.serversOf}
            rows={items}
            columns={columns}
            keyOf={(server) => server.id}
            empty={
              <Empty
                title={t.noServers}
                action={
                  may('servers.create') && state === 'active' ? (
                    <LinkButton to={paths.newServer} search={{ owner: id }}>
                      {t.createFirst}
                    </LinkButton>
                  ) : undefined
                }
              >
                {t.noServersText({ email })}
              </Empty>
            }
          />
        )}
      </Loaded>
    </Card>
  )
}
