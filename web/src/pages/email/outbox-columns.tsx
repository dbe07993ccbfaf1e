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

export type Message = Reply<'GET /api/email/outbox'>['items'][number]

export const MAIL_STATES = [
  { value: 'queued', label: 'Waiting' },
  { value: 'sent', label: 'Sent' },
  { value: 'failed', label: 'Failed' },
] as const
const TONES = { queued: 'info', sent: 'ok', failed: 'err' } as const

export function MailPill({ state }: Pick<Message, 'state'>) {
  const word = MAIL_STATES.find(({ value }) => value === state)?.label
  return <Pill tone={TONES[state]}>{word}</Pill>
}

/** Puts a failed message back into the queue. */
export function RetryButton({ message }: { message: Message }) {
  const missing = useMissing()
  const retry = useAct('POST /api/email/outbox/{id}/retry', ['GET /api/email/outbox'])
  return (
    <Button
      size="small"
      busy={retry.isPending}
      aria-label={`Send “${message.subject}” again`}
      disabledBecause={missing('email.manage')}
      onClick={() =>
        retry.mutate(
          { params: { id: message.id } },
          {
            onSuccess: () => toastDone('It is sent again', message.to),
            onError: (error) => toastRefused('It was not sent again', error),
          },
        )
      }
    >
      Send again
    </Button>
  )
}

export const outboxColumns = (onShow: (id: string) => void): readonly Column<Message>[] => [
  {
    header: 'Message',
    role: 'title',
    cell: (message) => (
      <div className={styles.name}>
        <Text strong>{message.subject}</Text>
        <small>{message.to}</small>
      </div>
    ),
  },
  {
    header: 'State',
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
  { header: 'Attempts', right: true, secondary: true, cell: ({ attempts }) => attempts },
  { header: 'Made', cell: ({ createdAt }) => <Ago at={createdAt} /> },
  {
    header: 'Actions',
    role: 'acts',
    cell: (message) => (
      <Row nowrap gap={4}>
        {message.state === 'failed' ? <RetryButton message={message} /> : null}
        <Button
          size="small"
          aria-label={`Open “${message.subject}” to ${message.to}`}
          onClick={() => onShow(message.id)}
        >
          Open
        </Button>
      </Row>
    ),
  },
]
