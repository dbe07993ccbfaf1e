import type { Customer } from '@lodge/shared/accounts.ts'
import { Link, Outlet } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import { paths } from '../../paths.ts'
import { useMay } from '../../session/session.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { isGone, LoadFailed, PageSkeleton } from '../../ui/notices/states.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Tab, TabBar } from '../../ui/page/tabs.tsx'
import { CustomerActions } from './customer-actions.tsx'
import { CustomerPill } from './customer-pill.tsx'
import { SignUpStrip } from './sign-up-strip.tsx'
import { useCustomerQuery } from './use-customer.ts'
import { t } from './words.ts'

/** The header and tabs of one customer. */
export default function CustomerFrame() {
  const customer = useCustomerQuery()
  if (customer.isError && (!customer.data || isGone(customer.error))) {
    return (
      <Page title={t.customer} narrow crumbs={<Link to={paths.customers}>{t.customers}</Link>}>
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
      crumbs={<Link to={paths.customers}>{t.customers}</Link>}
      beside={state === 'active' ? null : <CustomerPill state={state} />}
      lead={name ?? undefined}
      actions={
        <>
          <CustomerActions customer={customer} />
          {may('servers.create') && state === 'active' ? (
            <LinkButton to={paths.newServer} search={{ owner: id }} icon={<Plus />}>
              {t.newServer}
            </LinkButton>
          ) : null}
        </>
      }
    >
      <SignUpStrip customer={customer} />
      <TabBar label={t.partsOf({ email })}>
        <Tab to={paths.customer} params={params} activeOptions={{ exact: true }}>
          {t.summary}
        </Tab>
        <Tab to={paths.customerServers} params={params}>
          {t.servers}
        </Tab>
        <Tab to={paths.customerLimits} params={params}>
          {t.limits}
        </Tab>
        <Tab to={paths.customerNotes} params={params}>
          {t.notes}
        </Tab>
        <Tab to={paths.customerSignIns} params={params}>
          {t.signIns}
        </Tab>
        {may('suspension.view') ? (
          <Tab to={paths.customerSuspension} params={params}>
            {t.suspension}
          </Tab>
        ) : null}
        {may('audit.view') ? (
          <Tab to={paths.customerActivity} params={params}>
            {t.activity}
          </Tab>
        ) : null}
      </TabBar>
      <Outlet />
    </Page>
  )
}
