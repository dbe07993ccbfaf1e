import type { Customer } from '@lodge/shared/accounts.ts'
import { Link, Outlet } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import { paths } from '../../paths.ts'
import { useMay } from '../../session/session.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { LoadFailed, PageSkeleton } from '../../ui/notices/states.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Tab, TabBar } from '../../ui/page/tabs.tsx'
import { CustomerActions } from './customer-actions.tsx'
import { CustomerPill } from './customer-pill.tsx'
import { SignUpStrip } from './sign-up-strip.tsx'
import { useCustomerQuery } from './use-customer.ts'

/** The header and tabs of one customer. */
export default function CustomerFrame() {
  const customer = useCustomerQuery()
  if (customer.isError && !customer.data) {
    return (
      <Page title="Customer" narrow crumbs={<Link to={paths.customers}>Customers</Link>}>
        <LoadFailed error={customer.error} onRetry={() => void customer.refetch()} />
      </Page>
    )
  }
  if (!customer.data) return <PageSkeleton />
  return <Shown customer={customer.data} />
}

function Shown({ customer }: { customer: Customer }) {
  const may = useMay()
  const { id, email, name, state } = customer
  const params = { id }
  return (
    <Page
      title={email}
      crumbs={<Link to={paths.customers}>Customers</Link>}
      beside={state === 'active' ? null : <CustomerPill state={state} />}
      lead={name ?? undefined}
      actions={
        <>
          <CustomerActions customer={customer} />
          {may('servers.create') && state === 'active' ? (
            <LinkButton to={paths.newServer} search={{ owner: id }} icon={<Plus />}>
              New server
            </LinkButton>
          ) : null}
        </>
      }
    >
      <SignUpStrip customer={customer} />
      <TabBar label={`Parts of ${email}`}>
        <Tab to={paths.customer} params={params} activeOptions={{ exact: true }}>
          Summary
        </Tab>
        <Tab to={paths.customerServers} params={params}>
          Servers
        </Tab>
        <Tab to={paths.customerLimits} params={params}>
          Limits
        </Tab>
        <Tab to={paths.customerNotes} params={params}>
          Notes
        </Tab>
        <Tab to={paths.customerSignIns} params={params}>
          Sign-ins
        </Tab>
        {may('audit.view') ? (
          <Tab to={paths.customerActivity} params={params}>
            Activity
          </Tab>
        ) : null}
      </TabBar>
      <Outlet />
    </Page>
  )
}
