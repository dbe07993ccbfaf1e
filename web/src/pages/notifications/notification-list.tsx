import { Link } from '@tanstack/react-router'
import CircleAlert from 'lucide-react/icons/circle-alert'
import Info from 'lucide-react/icons/info'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import type { Reply } from '../../api.ts'
import { useAct } from '../../query.ts'
import { inRuns } from '../../repeated.ts'
import { safeNext } from '../../session/session.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { entryOf } from '../../ui/data/known.ts'
import { Ago } from '../../ui/data/time.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { toastRefused } from '../../ui/notices/toast.tsx'
import { Hidden } from '../../ui/page/layout.tsx'
import { rich } from '../../ui/page/rich.ts'
import tones from '../../ui/page/tone.module.css'
import styles from './notifications.module.css'
import { t } from './words.ts'

export type Notification = Reply<'GET /api/notifications'>['items'][number]

const LOOKS = {
  info: { icon: Info, tone: tones.info, word: () => t.info },
  warn: { icon: TriangleAlert, tone: tones.warn, word: () => t.warn },
  error: { icon: CircleAlert, tone: tones.err, word: () => t.error },
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
      read.mutate({ body: which }, { onError: (error) => toastRefused(t.notMarked, error) }),
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
      <Empty title={t.none} art="bell">
        {t.noneText}
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
  const { icon: Icon, tone, word } = entryOf(LOOKS, item.severity, () => LOOKS.info)
  const unread = item.readAt === null
  return (
    <li className={styles.line} data-unread={unread || undefined}>
      <span className={styles.dot} aria-hidden />
      <span className={`${styles.icon} ${tone}`}>
        <Icon aria-hidden />
        <Hidden>{word()}</Hidden>
      </span>
      <div className={styles.words}>
        {item.link === null ? (
          <b>{item.title}</b>
        ) : (
          <Link to={safeNext(item.link)} onClick={onNavigate}>
            {item.title}
          </Link>
        )}
        {unread ? <span className={styles.new}>{t.unread}</span> : null}
        <p>{item.body}</p>
        <small>
          {times > 1 ? (
            rich(t.repeated({ times, when: () => <Ago at={item.createdAt} /> }))
          ) : (
            <Ago at={item.createdAt} />
          )}
        </small>
      </div>
      {unread ? (
        <Button
          size="small"
          kind="quiet"
          aria-label={t.markOneRead({ title: item.title })}
          className={styles.read}
          onClick={onRead}
        >
          {t.markRead}
        </Button>
      ) : null}
    </li>
  )
}
