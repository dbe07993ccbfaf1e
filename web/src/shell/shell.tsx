import { Link, Outlet } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { brandName } from '../brand.ts'
import { paths } from '../paths.ts'
import { useAnnounced } from '../session/announced.ts'
import { NavPanel } from '../ui/dialogs/dialog.tsx'
import { PageSkeleton } from '../ui/notices/states.tsx'
import { Toasts } from '../ui/notices/toast.tsx'
import { Dock } from '../ui/page/dock.tsx'
import { Logo } from '../ui/page/logo.tsx'
import { part } from '../ui/page/part.tsx'
import { useStarted, useTurn } from '../ui/page/turns.ts'
import { useNarrow } from '../ui/page/use-narrow.ts'
import { AccountMenu } from './account-menu.tsx'
import { NotificationsButton } from './bell.tsx'
import { BottomBar } from './bottom-bar.tsx'
import { Breadcrumbs } from './breadcrumbs.tsx'
import { ConnectionStrip } from './connection-strip.tsx'
import { FactorStrip } from './factor-strip.tsx'
import { HelpMenu } from './help-menu.tsx'
import { JobsButton } from './jobs-button.tsx'
import { LinkHost } from './link-host.tsx'
import { Navigation } from './navigation.tsx'
import { PaletteButton } from './palette-button.tsx'
import { PaletteHost } from './palette-host.tsx'
import { useRecentVisits } from './recent.ts'
import { SheetHost } from './sheet-host.tsx'
import styles from './shell.module.css'
import { UnlessSuspended } from './unless-suspended.tsx'
import { useSignedIn } from './use-signed-in.ts'
import { ViewingStrip } from './viewing-strip.tsx'
import { t } from './words.ts'

const AnnouncementStrip = part(() => import('./announcement/announcement-strip.tsx'))

/** The frame around every page of a signed-in person. */
export default function Shell() {
  // The router renders immediately whatever is loaded; until its turn, index.html shows the logo.
  const hasTurn = useTurn()
  return hasTurn ? (
    <UnlessSuspended>
      <Around />
    </UnlessSuspended>
  ) : null
}

function Around() {
  const [navigating, setNavigating] = useState(false)
  const narrow = useNarrow()
  const withPage = useTurn()
  const started = useStarted()
  const announced = useAnnounced()
  useSignedIn()
  useRecentVisits()
  return (
    <div className={styles.frame}>
      <Toasts />
      <a className={styles.skip} href="#content">
        {t.skip}
      </a>
      <header className={`${styles.top} lodge-header`}>
        <Link to={paths.home} className={styles.brand ?? ''}>
          <Logo /> <span className={styles.brandName}>{brandName}</span>
        </Link>
        <Breadcrumbs />
        <PaletteButton />
        <JobsButton />
        <NotificationsButton />
        <HelpMenu />
        <AccountMenu />
      </header>
      {announced && started ? <AnnouncementStrip /> : null}
      <ViewingStrip />
      <ConnectionStrip />
      <FactorStrip />
      <div className={styles.body}>
        {narrow ? null : (
          <div className={`${styles.side} lodge-side`}>
            <Navigation inSide />
          </div>
        )}
        <main id="content" className={`${styles.main} lodge-main`} tabIndex={-1}>
          {withPage ? (
            <Suspense fallback={<PageSkeleton />}>
              <Outlet />
            </Suspense>
          ) : (
            <PageSkeleton />
          )}
        </main>
      </div>
      {narrow ? <BottomBar onMore={() => setNavigating(true)} /> : null}
      <NavPanel opened={navigating} onClose={() => setNavigating(false)}>
        <Navigation onNavigate={() => setNavigating(false)} />
      </NavPanel>
      <PaletteHost />
      <LinkHost />
      <SheetHost />
      <Dock />
    </div>
  )
}
