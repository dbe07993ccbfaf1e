import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useParams } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { useMay } from '../../session/session.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { LoadFailed, PageSkeleton } from '../../ui/notices/states.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Tab, TabBar } from '../../ui/page/tabs.tsx'
import { CustomerPill } from './customer-pill.tsx'
import { SignUpStrip } from './sign-up-strip.tsx'

/** The header and tabs of one customer. */
export default function CustomerFrame() {
  const { id } = useParams({ from: '/in/admin/customers/$id' })
  const may = useMay()
  const customer = useQuery(q('GET /api/customers/{id}', { params: { id } }))
  if (customer.isError && !customer.data) {
    return (
      <Page title="Customer" narrow crumbs={<Link to={paths.customers}>Customers</Link>}>
        <LoadFailed error={customer.error} onRetry={() => void customer.refetch()} />
      </Page>
    )
  }
  if (!customer.data) return <PageSkeleton />
  const { email, state } = customer.data
  return (
    <Page
      title={email}
      crumbs={<Link to={paths.customers}>Customers</Link>}
      beside={state === 'active' ? null : <CustomerPill state={state} />}
      actions={
        may('servers.create') && state === 'active' ? (
          <LinkButton to={paths.newServer} search={{ owner: id }} icon={<Plus />}>
            New server
          </LinkButton>
        ) : undefined
      }
    >
      <SignUpStrip customer={customer.data} />
      <TabBar label={`Parts of ${email}`}>
        <Tab to={paths.customer} params={{ id }} activeOptions={{ exact: true }}>
          Overview
        </Tab>
        <Tab to={paths.customerLimits} params={{ id }}>
          Limits
        </Tab>
      </TabBar>
      <Outlet />
    </Page>
  )
}
