import { saidReason } from '../../panel/said.ts'
import { Copyable } from '../../ui/data/copy.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { Facts } from '../../ui/page/card.tsx'
import { Column, Row, Text } from '../../ui/page/layout.tsx'
import { MailBody } from './mail-body.tsx'
import { MailPill, type Message, RetryButton } from './outbox-columns.tsx'
import { t } from './words.ts'

const LINK = /https?:\/\/[^\s<>()]+/g

/** One mail: its delivery state, and its content while no mail server is configured. */
export function MessageDialog({ message, onClose }: { message: Message; onClose: () => void }) {
  const { content } = message
  return (
    <Dialog wide opened title={message.subject} onClose={onClose}>
      <Column gap={14}>
        <Facts
          rows={[
            [t.to, message.to],
            [
              t.state,
              <Row key="state">
                <MailPill state={message.state} />
                {message.state === 'failed' ? <RetryButton message={message} /> : null}
              </Row>,
            ],
            [t.made, <Ago key="made" at={message.createdAt} />],
            ...(message.endedAt === null
              ? []
              : ([[t.endedAt, <Ago key="ended" at={message.endedAt} />]] as const)),
            ...(message.state === 'queued' && message.nextAttemptAt !== null && content === null
              ? ([[t.nextAttempt, <Ago key="next" at={message.nextAttemptAt} />]] as const)
              : []),
            ...(message.lastError === null
              ? []
              : ([
                  [
                    t.lastError,
                    `${message.smtpCode === null ? '' : `${message.smtpCode} `}${saidReason(message.lastError)}`,
                  ],
                ] as const)),
            [t.templateId, <code key="template">{message.template}</code>],
            [t.messageId, <Copyable key="id" value={message.messageId} label={t.copyMessageId} />],
          ]}
        />
        {content === null ? (
          <Note tone="info" title={t.contentHidden}>
            {t.contentHiddenText}
          </Note>
        ) : (
          <>
            <Links text={content.text} />
            <MailBody html={content.html} text={content.text} />
          </>
        )}
      </Column>
    </Dialog>
  )
}

/** The links of an undelivered mail, to open or to pass on. */
function Links({ text }: { text: string }) {
  const links = [...new Set(text.match(LINK) ?? [])]
  if (links.length === 0) return null
  return (
    <Column gap={4}>
      <Text small muted>
        {t.links({ count: links.length })}
      </Text>
      {links.map((link) => (
        <Row key={link} nowrap gap={6}>
          <a href={link} target="_blank" rel="noreferrer">
            {t.open}
          </a>
          <Copyable value={link} label={t.copyLink} />
        </Row>
      ))}
    </Column>
  )
}
