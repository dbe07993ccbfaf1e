import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { q } from '../../query.ts'
import { useMissing } from '../../session/session.ts'
import { Copyable } from '../../ui/data/copy.tsx'
import { Table } from '../../ui/data/table.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { toastDone } from '../../ui/notices/toast.tsx'
import { Card, Facts } from '../../ui/page/card.tsx'
import { Grid } from '../../ui/page/layout.tsx'
import { serverColumns } from '../servers/server-columns.tsx'
import { CustomerAccess } from './customer-access.tsx'
import { CustomerForm } from './customer-form.tsx'

const COLUMNS = serverColumns({ withOwner: false })

/** A customer's details and servers. */
export default function OverviewTab() {
  const { id } = useParams({ from: '/in/admin/customers/$id' })
  const missing = useMissing()
  const customer = useQuery(q('GET /api/customers/{id}', { params: { id } }))
  const servers = useQuery(q('GET /api/servers', { query: { ownerId: id, limit: 100 } }))
  return (
    <>
      <Card title="Servers" flush>
        <Loaded query={servers}>
          {({ items }) => (
            <Table
              label="Servers of this customer"
              rows={items}
              columns={COLUMNS}
              keyOf={(server) => server.id}
              empty={<Empty title="No servers yet" art="servers" />}
            />
          )}
        </Loaded>
      </Card>
      <Loaded query={customer}>
        {(person) => (
          <Grid least={300} gap={16} top>
            <Card title="Account">
              <CustomerForm
                key={person.id}
                customer={person}
                disabledBecause={missing('customers.manage')}
                onDone={() => toastDone('Customer saved')}
              />
            </Card>
            <Card title="Details">
              <Facts
                rows={[
                  ['Customer since', <Ago key="since" at={person.createdAt} />],
                  ['Id', <Copyable key="id" value={person.id} label="Copy the id" />],
                ]}
              />
            </Card>
            <CustomerAccess customer={person} />
          </Grid>
        )}
      </Loaded>
    </>
  )
}
