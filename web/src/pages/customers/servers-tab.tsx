import { useQuery } from '@tanstack/react-query'
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

const COLUMNS = serverColumns({ withOwner: false })

/** The servers of a customer. */
export default function ServersTab() {
  const { id, email, state } = useCustomer()
  const may = useMay()
  const servers = useQuery(q('GET /api/servers', { query: { ownerId: id, limit: 100 } }))
  return (
    <Card flush>
      <Loaded query={servers}>
        {({ items }) => (
          <Table
            label="Servers of this customer"
            rows={items}
            columns={COLUMNS}
            keyOf={(server) => server.id}
            empty={
              <Empty
                title="No servers yet"
                action={
                  may('servers.create') && state === 'active' ? (
                    <LinkButton to={paths.newServer} search={{ owner: id }}>
                      Create the first server
                    </LinkButton>
                  ) : undefined
                }
              >
                The servers that {email} owns will be listed here.
              </Empty>
            }
          />
        )}
      </Loaded>
    </Card>
  )
}
