import type { Reply } from '../../api.ts'
import { useAct } from '../../query.ts'
import { useMissing } from '../../session/session.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Pill } from '../../ui/data/status.tsx'
import type { Column } from '../../ui/data/table.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { toastDone, toastRefused } from '../../ui/notices/toast.tsx'
import { Row, Text } from '../../ui/page/layout.tsx'
import styles from '../servers/servers.module.css'
import { t } from './words.ts'

export type Message = Reply<'GET /api/email/outbox'>['items'][number]

export const mailStates = () =>
  [
    { value: 'queued', label: t.queued },
    { value: 'sent', label: t.sent },
    { value: 'failed', label: t.failed },
  ] as const
const TONES = { queued: 'info', sent: 'ok', failed: 'err' } as const

export const mailState = (state: Message['state']): string =>
  mailStates().find(({ value }) => value === state)?.label ?? state

export const MailPill = ({ state }: Pick<Message, 'state'>) => (
  <Pill tone={TONES[state]}>{mailState(state)}</Pill>
)

/** Puts a failed message back into the queue. */
export function RetryButton({ message }: { message: Message }) {
  const missing = useMissing()
  const retry = useAct('POST /api/email/outbox/{id}/retry', ['GET /api/email/outbox'])
  return (
    <Button
      size="small"
      busy={retry.isPending}
      aria-label={t.sendAgainSubject({ subject: message.subject })}
      disabledBecause={missing('email.manage')}
      onClick={() =>
        retry.mutate(
          { params: { id: message.id } },
          {
            onSuccess: () => toastDone(t.requeued, message.to),
            onError: (error) => toastRefused(t.notRequeued, error),
          },
        )
      }
    >
      {t.sendAgain}
    </Button>
  )
}

export const outboxColumns = (onShow: (id: string) => void): readonly Column<Message>[] => [
  {
    header: t.message,
    role: 'title',
    cell: (message) => (
      <div className={styles.name}>
        <Text strong>{message.subject}</Text>
        <small>{message.to}</small>
      </div>
    ),
  },
  {
    header: t.state,
    cell: (message) => (
      <Row gap={6}>
        <MailPill state={message.state} />
        {message.lastError === null ? null : (
          <Text small muted>
            {message.lastError}
          </Text>
        )}
      </Row>
    ),
  },
  { header: t.attempts, right: true, secondary: true, cell: ({ attempts }) => attempts },
  { header: t.made, cell: ({ createdAt }) => <Ago at={createdAt} /> },
  {
    header: t.actions,
    role: 'acts',
    cell: (message) => (
      <Row nowrap gap={4}>
        {message.state === 'failed' ? <RetryButton message={message} /> : null}
        <Button
          size="small"
          aria-label={t.openSubject({ subject: message.subject, to: message.to })}
          onClick={() => onShow(message.id)}
        >
          {t.open}
        </Button>
      </Row>
    ),
  },
]
