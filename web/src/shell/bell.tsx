import { useQuery } from '@tanstack/react-query'
import Bell from 'lucide-react/icons/bell'
import { useState } from 'react'
import { q } from '../query.ts'
import { Button } from '../ui/buttons/button.tsx'
import { SidePanel } from '../ui/dialogs/dialog.tsx'
import { Skeletons } from '../ui/notices/states.tsx'
import { Hidden } from '../ui/page/layout.tsx'
import { part } from '../ui/page/part.tsx'
import { rich } from '../ui/page/rich.ts'
import { useStarted } from '../ui/page/turns.ts'
import styles from './shell.module.css'
import { t } from './words.ts'

const RecentNotifications = part(() => import('../pages/notifications/recent-notifications.tsx'))

const MOST = 99

/** The number of unread notifications; opens the newest. */
export function NotificationsButton() {
  const [opened, setOpened] = useState(false)
  const { data } = useQuery({ ...q('GET /api/notifications/summary'), enabled: useStarted() })
  const unread = data?.unread ?? 0
  const close = () => setOpened(false)
  return (
    <>
      <Button kind="quiet" icon={<Bell />} onClick={() => setOpened(true)}>
        {unread > 0 ? (
          rich(
            t.unread({
              shown: unread > MOST ? `${MOST}+` : unread,
              count: unread,
              badge: (text) => <span className={styles.badge}>{text}</span>,
              hidden: (text) => <Hidden>{text}</Hidden>,
            }),
          )
        ) : (
          <Hidden>{t.notifications}</Hidden>
        )}
      </Button>
      <SidePanel title={t.notifications} opened={opened} onClose={close}>
        <RecentNotifications onNavigate={close} onLost={close} fallback={<Skeletons />} />
      </SidePanel>
    </>
  )
}
