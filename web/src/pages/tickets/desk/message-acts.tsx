import {
  AMEND_MINUTES,
  type TicketMessage,
  type TicketThread,
} from '@lodge/shared/support/tickets.ts'
import { useState } from 'react'
import { useAct } from '../../../query.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { QuickConfirm } from '../../../ui/dialogs/quick-confirm.tsx'
import { toastDone, toastRefused } from '../../../ui/notices/toast.tsx'
import { Column, Row, Text } from '../../../ui/page/layout.tsx'
import { part } from '../../../ui/page/part.tsx'
import { TICKET_KEYS } from './desk-query.ts'
import { t } from './words.ts'

const AmendDialog = part(() => import('./dialogs/amend-dialog.tsx'))

interface MessageActsProps {
  ticket: TicketThread
  message: TicketMessage
  /** Who reads it. */
  me: string
}

/** An agent's actions on one message: deciding on a held mail, or editing their own recent one. */
export function MessageActs({ ticket: { id, may }, message, me }: MessageActsProps) {
  if (!may.work) return null
  if (message.held) return <Held message={message} />
  const isYoung = Date.now() - Date.parse(message.createdAt) < AMEND_MINUTES * 60_000
  if (message.author.id !== me || message.kind === 'system' || !isYoung) return null
  return <Amend ticketId={id} message={message} />
}

function Held({ message: { id, heldBecause } }: { message: TicketMessage }) {
  const letIn = useAct('POST /api/support/inbound/held/{id}', TICKET_KEYS)
  const drop = useAct('DELETE /api/support/inbound/held/{id}', TICKET_KEYS)
  const given = { params: { id } }
  const ends = (done: string) => ({
    onSuccess: () => toastDone(done),
    onError: (error: unknown) => toastRefused(t.heldFailed, error),
  })
  const acts = (
    <Row>
      <QuickConfirm
        question={t.letInQuestion}
        verb={t.letInVerb}
        onConfirm={() => letIn.mutate(given, ends(t.letInDone))}
      >
        <Button size="small" busy={letIn.isPending}>
          {t.letIn}
        </Button>
      </QuickConfirm>
      <QuickConfirm
        question={t.dropQuestion}
        verb={t.dropVerb}
        onConfirm={() => drop.mutate(given, ends(t.dropDone))}
      >
        <Button size="small" kind="warning" busy={drop.isPending}>
          {t.drop}
        </Button>
      </QuickConfirm>
    </Row>
  )
  if (heldBecause === null) return acts
  return (
    <Column gap={8}>
      <Text small muted>
        {t.heldWhy({ because: heldBecause })}
      </Text>
      {acts}
    </Column>
  )
}

function Amend({ ticketId, message }: { ticketId: string; message: TicketMessage }) {
  const [opened, setOpened] = useState(false)
  const close = (): void => setOpened(false)
  return (
    <>
      <Button size="small" onClick={() => setOpened(true)}>
        {t.amend}
      </Button>
      {opened ? (
        <AmendDialog ticketId={ticketId} message={message} onClose={close} onLost={close} />
      ) : null}
    </>
  )
}
