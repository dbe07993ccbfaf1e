import type { OutboxField, OutboxSort } from '@lodge/shared/lists/outbox.ts'
import type { Reply } from '../../api.ts'
import { saidReason } from '../../panel/said.ts'
import { useAct } from '../../query.ts'
import { useMissing } from '../../session/session.ts'
import { Button } from '../../ui/buttons/button.tsx'
import type { Column } from '../../ui/data/column.ts'
import type { FilterField } from '../../ui/data/filter-box.tsx'
import { toneOf } from '../../ui/data/known.ts'
import { Pill } from '../../ui/data/status.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { toastDone, toastRefused } from '../../ui/notices/toast.tsx'
import { Row, Text } from '../../ui/page/layout.tsx'
import { t } from './words.ts'

export type Message = Reply<'GET /api/email/outbox'>['items'][number]

const mailStates = () =>
  [
    { value: 'queued', label: t.queued },
    { value: 'sent', label: t.sent },
    { value: 'failed', label: t.failed },
  ] as const
const TONES = { queued: 'info', sent: 'ok', failed: 'err' } as const

const mailState = (state: Message['state']): string =>
  mailStates().find(({ value }) => value === state)?.label ?? state

export const MailPill = ({ state }: Pick<Message, 'state'>) => (
  <Pill tone={toneOf(TONES, state)}>{mailState(state)}</Pill>
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

type OutboxColumn = Column<Message> & { readonly id: string; readonly sort?: OutboxSort }

/** Every column that the outbox offers. */
export const outboxColumns = (onOpen: (id: string) => void): readonly OutboxColumn[] => [
  {
    id: 'mail',
    header: t.message,
    role: 'title',
    cell: ({ subject }) => <Text strong>{subject}</Text>,
  },
  { id: 'to', header: t.to, sort: 'to', cell: ({ to }) => <Text clip>{to}</Text> },
  {
    id: 'state',
    header: t.state,
    sort: 'state',
    cell: (message) => (
      <Row gap={6}>
        <MailPill state={message.state} />
        {message.lastError === null ? null : (
          <Text small muted>
            {saidReason(message.lastError)}
          </Text>
        )}
      </Row>
    ),
  },
  {
    id: 'template',
    header: t.templateId,
    optional: true,
    cell: ({ template }) => <code>{template}</code>,
  },
  {
    id: 'attempts',
    header: t.attempts,
    sort: 'attempts',
    highestFirst: true,
    right: true,
    tight: true,
    secondary: true,
    cell: ({ attempts }) => attempts,
  },
  {
    id: 'created',
    header: t.made,
    sort: 'created',
    highestFirst: true,
    right: true,
    tight: true,
    cell: ({ createdAt }) => <Ago at={createdAt} />,
  },
  {
    id: 'finished',
    header: t.endedAt,
    right: true,
    tight: true,
    optional: true,
    cell: ({ endedAt }) => (endedAt === null ? null : <Ago at={endedAt} />),
  },
  {
    id: 'actions',
    header: t.actions,
    role: 'acts',
    cell: (message) => (
      <Row nowrap gap={4}>
        {message.state === 'failed' ? <RetryButton message={message} /> : null}
        <Button
          size="small"
          data-opens
          aria-label={t.openSubject({ subject: message.subject, to: message.to })}
          onClick={() => onOpen(message.id)}
        >
          {t.open}
        </Button>
      </Row>
    ),
  },
]

/** The filter fields of the outbox. */
export const outboxFields = (): readonly (FilterField & { readonly name: OutboxField })[] => [
  { name: 'state', label: t.state, chips: true, values: mailStates() },
  { name: 'to', label: t.to, example: 'to:*@example.com' },
  { name: 'subject', label: t.subject, example: 'subject:welcome*' },
  { name: 'template', label: t.templateId, example: 'template:password*' },
  { name: 'error', label: t.error, example: 'error:*timeout*' },
]
