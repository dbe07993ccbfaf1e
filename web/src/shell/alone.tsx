import { Outlet } from '@tanstack/react-router'
import { Suspense } from 'react'
import { PageSkeleton } from '../ui/notices/states.tsx'
import { Toasts } from '../ui/notices/toast.tsx'
import { ConnectionStrip } from './connection-strip.tsx'
import styles from './shell.module.css'
import { UnlessSuspended } from './unless-suspended.tsx'
import { useSignedIn } from './use-signed-in.ts'
import { ViewingStrip } from './viewing-strip.tsx'

/** A separate window: live like the panel, without navigation. */
export default function Alone() {
  return (
    <UnlessSuspended>
      <Window />
    </UnlessSuspended>
  )
}

function Window() {
  useSignedIn()
  return (
    <div className={styles.window}>
      <Toasts />
      <ViewingStrip />
      <ConnectionStrip />
      <main className={styles.alone}>
        <Suspense fallback={<PageSkeleton />}>
          <Outlet />
        </Suspense>
      </main>
    </div>
  )
}
