import type { OwnSuspension } from '@lodge/shared/suspensions.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { Suspense } from 'react'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { PageSkeleton } from '../../ui/notices/states.tsx'
import { Toasts } from '../../ui/notices/toast.tsx'
import { Column } from '../../ui/page/layout.tsx'
import { Logo } from '../../ui/page/logo.tsx'
import styles from './suspensions.module.css'
import { t } from './words.ts'

type May = Pick<OwnSuspension, 'mayPay' | 'mayUseTickets'>

/** Whether a page stays accessible: paying invoices, and writing to the support. */
function isStillOpen(path: string, { mayPay, mayUseTickets }: May): boolean {
  if (path === paths.billing) return mayPay
  return (path === paths.tickets || path.startsWith(`${paths.tickets}/`)) && mayUseTickets
}

/** Whether the open page is one that a suspension leaves accessible. */
export const useStillOpen = (may: May | null | undefined): boolean => {
  const { pathname } = useLocation()
  return may ? isStillOpen(pathname, may) : false
}

/** Such a page, without the panel around it. */
export function StillOpen() {
  return (
    <div className={styles.stillOpen}>
      <Toasts />
      <header>
        <Logo />
        <Link to={paths.servers}>{t.backToSuspension}</Link>
      </header>
      <main>
        <Suspense fallback={<PageSkeleton />}>
          <Outlet />
        </Suspense>
      </main>
    </div>
  )
}

/** Links to those pages. */
export function WaysLeft({ mayPay, mayUseTickets }: May) {
  const billing = useQuery({ ...q('GET /api/billing'), enabled: mayPay })
  const invoices = billing.data?.invoices ?? []
  const open = invoices.filter(({ status }) => status === 'open').length
  if (invoices.length === 0 && !mayUseTickets) return null
  return (
    <Column gap={10}>
      {invoices.length === 0 ? null : (
        <LinkButton to={paths.billing} size="large" kind={open > 0 ? 'primary' : 'default'}>
          {open > 0 ? t.payInvoices({ count: open }) : t.seeInvoices}
        </LinkButton>
      )}
      {mayUseTickets ? (
        <LinkButton to={paths.tickets} size="large">
          {t.openTickets}
        </LinkButton>
      ) : null}
    </Column>
  )
}
