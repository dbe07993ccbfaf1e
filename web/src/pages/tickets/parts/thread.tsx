import type { TicketMessage } from '@lodge/shared/support/tickets.ts'
import Lock from 'lucide-react/icons/lock'
import Paperclip from 'lucide-react/icons/paperclip'
import type { ReactNode } from 'react'
import { Pill } from '../../../ui/data/status.tsx'
import { Ago } from '../../../ui/data/time.tsx'
import { rich } from '../../../ui/page/rich.ts'
import { Prose } from '../../support/help/prose.tsx'
import { AttachedFiles } from '../../suspensions/attached-files.tsx'
import { SenderPill } from './sender-pill.tsx'
import styles from './thread.module.css'
import { t } from './words.ts'

interface ThreadProps {
  ticketId: string
  messages: readonly TicketMessage[]
  /** Who reads it. */
  me: string
  /** Read by the customer. */
  own?: boolean
  /** Actions below a message. */
  acts?: (message: TicketMessage) => ReactNode
}

/** The messages of a ticket, oldest first. */
export function Thread({ ticketId, messages, me, own = false, acts }: ThreadProps) {
  return (
    <ol className={styles.messages} aria-label={t.conversation}>
      {messages.map((message) => (
        <li
          key={message.id}
          className={styles.message}
          data-kind={message.kind}
          data-side={message.author.kind}
        >
          <Message ticketId={ticketId} message={message} me={me} own={own} />
          {acts?.(message)}
        </li>
      ))}
    </ol>
  )
}

interface MessageProps {
  ticketId: string
  message: TicketMessage
  me: string
  own: boolean
}

/** Customers see only the names that staff choose to show. */
function nameOf({ author, unverifiedSender }: TicketMessage, me: string, own: boolean): string {
  if (author.id === me) return t.you
  if (author.kind === 'system') return t.system
  if (author.kind === 'agent' && own) return author.name ?? t.host
  return author.name ?? (unverifiedSender ? t.withoutAddress : t.formerPerson)
}

function Message({ ticketId, message, me, own }: MessageProps) {
  const { html, attachments, createdAt, kind, via, held, editedAt } = message
  const name = nameOf(message, me, own)
  return (
    <div>
      <p className={styles.byline}>
        <span>
          {rich(t.byline({ author: () => <b>{name}</b>, written: () => <Ago at={createdAt} /> }))}
        </span>
        {kind === 'note' ? (
          <span className={styles.inside}>
            <Lock aria-hidden />
            {t.note}
          </span>
        ) : null}
        {via === 'email' ? <span>{t.byMail}</span> : null}
        {editedAt === null ? null : <span>{t.edited}</span>}
        <SenderPill message={message} />
        {held ? (
          <Pill tone="warn" icon={<Lock aria-hidden />} title={t.heldHelp}>
            {t.held}
          </Pill>
        ) : null}
      </p>
      <Prose html={html} />
      <AttachedFiles
        files={attachments}
        folder={`/api/support/tickets/${encodeURIComponent(ticketId)}/attachments`}
        icon={<Paperclip aria-hidden />}
      />
    </div>
  )
}
