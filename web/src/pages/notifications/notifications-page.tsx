import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Segments } from '../../ui/choices/segments.tsx'
import { Pager } from '../../ui/data/pager.tsx'
import { Toolbar } from '../../ui/data/toolbar.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Page } from '../../ui/page/page.tsx'
import { NotificationList, useMarkRead } from './notification-list.tsx'
import { t } from './words.ts'

/** The whole inbox. */
export default function NotificationsPage() {
  const { unread, after } = useSearch({ from: '/in/notifications' })
  const navigate = useNavigate({ from: paths.notifications })
  const { busy, mark } = useMarkRead()
  const summary = useQuery(q('GET /api/notifications/summary'))
  const inbox = useQuery({
    ...q('GET /api/notifications', {
      query: {
        limit: 50,
        ...(unread ? { unread: 'true' as const } : {}),
        ...(after ? { after } : {}),
      },
    }),
    placeholderData: keepPreviousData,
  })
  const none = summary.data?.unread === 0
  return (
    <Page
      title={t.title}
      narrow
      actions={
        <Button
          busy={busy}
          disabledBecause={none ? t.allRead : undefined}
          onClick={() => mark({ all: true })}
        >
          {t.markAllRead}
        </Button>
      }
    >
      <Toolbar>
        <Segments
          label={t.shown}
          value={unread ? 'unread' : 'all'}
          choices={[
            { value: 'all', label: t.all },
            { value: 'unread', label: t.unreadCount({ count: summary.data?.unread ?? 0 }) },
          ]}
          onChange={(value) =>
            void navigate({ search: value === 'unread' ? { unread: true } : {} })
          }
        />
      </Toolbar>
      <Card flush>
        <Loaded query={inbox}>{({ items }) => <NotificationList items={items} />}</Loaded>
      </Card>
      <Pager
        shown={inbox.data?.items.length ?? 0}
        after={after}
        next={inbox.data?.nextCursor ?? null}
        onGo={(cursor) =>
          void navigate({
            search: { ...(unread ? { unread } : {}), ...(cursor ? { after: cursor } : {}) },
          })
        }
      />
    </Page>
  )
}
