import { Link } from '@tanstack/react-router'
import CircleAlert from 'lucide-react/icons/circle-alert'
import Info from 'lucide-react/icons/info'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import type { Reply } from '../../api.ts'
import { useAct } from '../../query.ts'
import { inRuns } from '../../repeated.ts'
import { safeNext } from '../../session/session.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { toastRefused } from '../../ui/notices/toast.tsx'
import { Hidden } from '../../ui/page/layout.tsx'
import tones from '../../ui/page/tone.module.css'
import styles from './notifications.module.css'

export type Notification = Reply<'GET /api/notifications'>['items'][number]

const LOOKS = {
  info: { icon: Info, tone: tones.info, word: 'Note' },
  warn: { icon: TriangleAlert, tone: tones.warn, word: 'Warning' },
  error: { icon: CircleAlert, tone: tones.err, word: 'Error' },
}

/** Marks notifications as read, here and in the bell's count. */
export function useMarkRead() {
  const read = useAct('POST /api/notifications/read', [
    'GET /api/notifications',
    'GET /api/notifications/summary',
  ])
  return {
    busy: read.isPending,
    mark: (which: { ids: string[] } | { all: true }) =>
      read.mutate(
        { body: which },
        { onError: (error) => toastRefused('Not marked as read', error) },
      ),
  }
}

interface NotificationListProps {
  items: readonly Notification[]
  /** Called when a notification leads to a page. */
  onNavigate?: () => void
}

/** Notifications, newest first. Opening one marks it as read. */
export function NotificationList({ items, onNavigate }: NotificationListProps) {
  const { mark } = useMarkRead()
  if (items.length === 0) {
    return (
      <Empty title="No notifications yet" art="bell">
        You hear here about crashes, invitations and sign-ins from new devices.
      </Empty>
    )
  }
  return (
    <ul className={styles.list}>
      {inRuns(items, isSame).map(({ first: item, all }) => (
        <Line
          key={item.id}
          item={item}
          times={all.length}
          onRead={() => mark({ ids: all.map(({ id }) => id) })}
          onNavigate={() => {
            if (item.readAt === null) mark({ ids: all.map(({ id }) => id) })
            onNavigate?.()
          }}
        />
      ))}
    </ul>
  )
}

const isSame = (one: Notification, next: Notification): boolean =>
  one.title === next.title &&
  one.body === next.body &&
  (one.readAt === null) === (next.readAt === null)

function Line({
  item,
  times,
  onRead,
  onNavigate,
}: {
  item: Notification
  /** How often it was repeated in a row. */
  times: number
  onRead: () => void
  onNavigate: () => void
}) {
  const { icon: Icon, tone, word } = LOOKS[item.severity]
  const unread = item.readAt === null
  return (
    <li className={styles.line} data-unread={unread || undefined}>
      <span className={styles.dot} aria-hidden />
      <span className={`${styles.icon} ${tone}`}>
        <Icon aria-hidden />
        <Hidden>{word}</Hidden>
      </span>
      <div className={styles.words}>
        {item.link === null ? (
          <b>{item.title}</b>
        ) : (
          <Link to={safeNext(item.link)} onClick={onNavigate}>
            {item.title}
          </Link>
        )}
        {unread ? <span className={styles.new}>Unread</span> : null}
        <p>{item.body}</p>
        <small>
          <Ago at={item.createdAt} />
          {times > 1 ? ` · ${times} times` : ''}
        </small>
      </div>
      {unread ? (
        <Button
          size="small"
          kind="quiet"
          aria-label={`Mark as read: ${item.title}`}
          className={styles.read}
          onClick={onRead}
        >
          Mark as read
        </Button>
      ) : null}
    </li>
  )
}
