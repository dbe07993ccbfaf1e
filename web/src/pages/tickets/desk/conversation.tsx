import type { TicketThread } from '@lodge/shared/support/tickets.ts'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import { useEffect, useRef, useState } from 'react'
import { paths } from '../../../paths.ts'
import { useMe } from '../../../session/session.ts'
import { LinkButton } from '../../../ui/buttons/link.tsx'
import { Pill } from '../../../ui/data/status.tsx'
import { At } from '../../../ui/data/time.tsx'
import { usePageTitle } from '../../../ui/page/page.tsx'
import { rich } from '../../../ui/page/rich.ts'
import { useNarrow } from '../../../ui/page/use-narrow.ts'
import type { DeskSearch } from '../desk-search.ts'
import { PriorityPill, TicketPill } from '../parts/pills.tsx'
import { Thread } from '../parts/thread.tsx'
import { useDraft } from '../parts/use-draft.ts'
import { useRead } from '../parts/use-read.ts'
import { Answer } from './answer.tsx'
import { BounceNote } from './bounce-note.tsx'
import { ClashNote } from './clash-note.tsx'
import styles from './desk.module.css'
import { NextGoal } from './goals.tsx'
import { MessageActs } from './message-acts.tsx'
import { Presence } from './presence.tsx'
import { Properties } from './properties.tsx'
import { type TicketDialog, TicketMenu } from './ticket-menu.tsx'
import type { Changing } from './use-change.ts'
import { useDeskKeys } from './use-desk-keys.ts'
import type { Neighbours } from './use-neighbours.ts'
import { t } from './words.ts'

interface ConversationProps {
  ticket: TicketThread
  search: DeskSearch
  around: Neighbours
  changing: Changing
}

/** The middle pane: the properties of the ticket, its messages, and the answer. */
export function Conversation({ ticket, search, around, changing }: ConversationProps) {
  const { id, number, subject, messages, may } = ticket
  const { id: me } = useMe()
  const heading = usePageTitle(`${number} ${subject}`, subject)
  const pane = useRef<HTMLElement>(null)
  const thread = useRef<HTMLElement>(null)
  const isNarrow = useNarrow()
  const draft = useDraft(id)
  useRead(ticket)
  const [dialog, setDialog] = useState<TicketDialog>()
  const { change } = changing
  const goOn = (): void => pane.current?.querySelector('textarea')?.focus()
  const write = (isNote: boolean): void => {
    draft.change({ isNote })
    goOn()
  }
  const point = (name: string): void =>
    document.querySelector<HTMLElement>(`[data-property="${name}"] input`)?.focus()
  // Scrolls to the newest message; on a phone the page starts at its top.
  useEffect(() => {
    const { current } = thread
    if (current) current.scrollTop = current.scrollHeight
  }, [])
  useDeskKeys({
    j: () => around.go(1),
    k: () => around.go(-1),
    u: around.leave,
    ...(may.reply && { r: () => write(false) }),
    ...(may.work && {
      n: () => write(true),
      s: () => setDialog('snooze'),
      o: () => point('status'),
      p: () => point('priority'),
      t: () => point('tags'),
      m: () => point('macros'),
    }),
    ...(may.work && may.solve && { e: () => void change({ status: 'solved' }) }),
    ...(may.assign && { a: () => void change({ assigneeId: me }) }),
  })
  return (
    <section ref={pane} className={styles.main} aria-label={subject}>
      <header className={styles.head}>
        {isNarrow ? (
          <div>
            <LinkButton to={paths.desk} search={search} size="small" icon={<ArrowLeft />}>
              {t.backToList}
            </LinkButton>
          </div>
        ) : null}
        <div className={styles.subject}>
          <h1 ref={heading} tabIndex={-1}>
            {subject}
          </h1>
          <TicketMenu ticket={ticket} changing={changing} open={dialog} onOpen={setDialog} />
        </div>
        <Meta ticket={ticket} />
        <Presence ticketId={id} isReplying={draft.text !== '' && !draft.isNote} />
        <Properties ticket={ticket} changing={changing} />
        <ClashNote changing={changing} ticket={ticket} />
        <BounceNote ticket={ticket} />
      </header>
      <section
        ref={thread}
        className={styles.thread}
        aria-label={t.thread}
        tabIndex={isNarrow ? undefined : 0}
      >
        <Thread
          ticketId={id}
          messages={messages}
          me={me}
          acts={(message) => <MessageActs ticket={ticket} message={message} me={me} />}
        />
      </section>
      <div className={styles.answer}>
        <Answer ticket={ticket} draft={draft} changing={changing} onWrite={goOn} />
      </div>
    </section>
  )
}

function Meta({ ticket }: { ticket: TicketThread }) {
  const { number, status, priority, rating, staff } = ticket
  return (
    <div className={styles.meta}>
      <span>{number}</span>
      <TicketPill status={status} />
      {priority === 'normal' ? null : <PriorityPill priority={priority} />}
      {staff?.spam ? <Pill tone="err">{t.spam}</Pill> : null}
      {staff ? <NextGoal sla={staff.sla} /> : null}
      {rating === null ? null : <span>{t.ratingOf({ score: rating })}</span>}
      {staff?.snoozedUntil ? <Snoozed until={staff.snoozedUntil} /> : null}
    </div>
  )
}

const Snoozed = ({ until }: { until: string }) => (
  <span>{rich(t.snoozed({ when: () => <At at={until} /> }))}</span>
)
