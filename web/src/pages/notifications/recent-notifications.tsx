import { useQuery } from '@tanstack/react-query'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Column, Row } from '../../ui/page/layout.tsx'
import { NotificationList, useMarkRead } from './notification-list.tsx'
import { t } from './words.ts'

/** The newest notifications, for the side panel. */
export default function RecentNotifications({ onNavigate }: { onNavigate: () => void }) {
  const inbox = useQuery(q('GET /api/notifications', { query: { limit: 25 } }))
  const { busy, mark } = useMarkRead()
  const unread = inbox.data?.items.some((item) => item.readAt === null) ?? false
  return (
    <Column gap={12}>
      <Loaded query={inbox}>
        {({ items }) => <NotificationList items={items} onNavigate={onNavigate} />}
      </Loaded>
      <Row between>
        <LinkButton to={paths.notifications} size="small" onClick={onNavigate}>
          {t.openAll}
        </LinkButton>
        <Button
          size="small"
          kind="quiet"
          busy={busy}
          disabledBecause={unread ? undefined : t.allRead}
          onClick={() => mark({ all: true })}
        >
          {t.markAllRead}
        </Button>
      </Row>
    </Column>
  )
}
