import { useQuery } from '@tanstack/react-query'
import Bell from 'lucide-react/icons/bell'
import { lazy, Suspense, useState } from 'react'
import { q } from '../query.ts'
import { Button } from '../ui/buttons/button.tsx'
import { SidePanel } from '../ui/dialogs/dialog.tsx'
import { Skeletons } from '../ui/notices/states.tsx'
import { Hidden } from '../ui/page/layout.tsx'
import styles from './shell.module.css'

const RecentNotifications = lazy(() => import('../pages/notifications/recent-notifications.tsx'))

/** The number of unread notifications; opens the newest. */
export function NotificationsButton() {
  const [opened, setOpened] = useState(false)
  const { data } = useQuery(q('GET /api/notifications/summary'))
  const unread = data?.unread ?? 0
  return (
    <>
      <Button kind="quiet" icon={<Bell />} onClick={() => setOpened(true)}>
        {unread > 0 ? <span className={styles.badge}>{unread > 99 ? '99+' : unread}</span> : null}
        <Hidden>{unread > 0 ? 'unread notifications' : 'Notifications'}</Hidden>
      </Button>
      <SidePanel title="Notifications" opened={opened} onClose={() => setOpened(false)}>
        <Suspense fallback={<Skeletons />}>
          <RecentNotifications onNavigate={() => setOpened(false)} />
        </Suspense>
      </SidePanel>
    </>
  )
}
