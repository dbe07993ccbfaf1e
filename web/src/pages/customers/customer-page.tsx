import type { Customer } from '@lodge/shared/accounts.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { useMissing } from '../../session/session.ts'
import { Card, Facts } from '../../ui/card.tsx'
import { Copyable } from '../../ui/copy.tsx'
import { Column, Split } from '../../ui/layout.tsx'
import { LinkButton } from '../../ui/link.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, LoadFailed, PageSkeleton } from '../../ui/states.tsx'
import { Pill } from '../../ui/status.tsx'
import { Table } from '../../ui/table.tsx'
import { Ago } from '../../ui/time.tsx'
import { toastDone } from '../../ui/toast.tsx'
import { serverColumns } from '../servers/server-columns.tsx'
import { CustomerForm } from './customer-form.tsx'

const COLUMNS = serverColumns({ withOwner: false })

/** One customer: who it is, and their servers. */
export default function CustomerPage() {
  const { id } = useParams({ from: '/in/admin/customers/$id' })
  const customer = useQuery(q('GET /api/customers/{id}', { params: { id } }))
  if (customer.data) return <Shown customer={customer.data} />
  if (!customer.isError) return <PageSkeleton />
  return (
    <Page title="Customer" narrow>
      <LoadFailed error={customer.error} onRetry={() => void customer.refetch()} />
    </Page>
  )
}

function Shown({ customer }: { customer: Customer }) {
  const missing = useMissing()
  const servers = useQuery(q('GET /api/servers', { query: { ownerId: customer.id, limit: 100 } }))
  return (
    <Page
      title={customer.email}
      crumbs={<Link to={paths.customers}>Customers</Link>}
      beside={customer.state === 'active' ? null : <Pill tone="warn">Suspended</Pill>}
      actions={
        <LinkButton to={paths.newServer} search={{ owner: customer.id }} icon={<Plus />}>
          New server
        </LinkButton>
      }
    >
      <Split side={360}>
        <Card title="Servers" flush>
          <Loaded query={servers}>
            {({ items }) => (
              <Table
                label={`Servers of ${customer.email}`}
                rows={items}
                columns={COLUMNS}
                keyOf={(server) => server.id}
                empty={<Empty title="No servers yet" />}
              />
            )}
          </Loaded>
        </Card>
        <Column>
          <Card title="Account">
            <CustomerForm
              key={customer.id}
              customer={customer}
              disabledBecause={missing('customers.manage')}
              onDone={() => toastDone('Customer saved')}
            />
          </Card>
          <Card title="Details">
            <Facts
              rows={[
                ['Customer since', <Ago key="since" at={customer.createdAt} />],
                ['Id', <Copyable key="id" value={customer.id} label="Copy the id" />],
              ]}
            />
          </Card>
        </Column>
      </Split>
    </Page>
  )
}
