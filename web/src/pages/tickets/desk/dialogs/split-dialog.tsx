import type { TicketThread } from '@lodge/shared/support/tickets.ts'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../../api.ts'
import { paths } from '../../../../paths.ts'
import { useRefresh } from '../../../../query.ts'
import { Tick } from '../../../../ui/choices/tick.tsx'
import { ConfirmDialog } from '../../../../ui/dialogs/confirm.tsx'
import { TextField } from '../../../../ui/fields/text-field.tsx'
import { timestampText } from '../../../../ui/locale/timestamps.ts'
import { toastDone } from '../../../../ui/notices/toast.tsx'
import { Column, Text } from '../../../../ui/page/layout.tsx'
import { TICKET_KEYS } from '../desk-query.ts'
import { t } from '../words.ts'

const SHOWN = 90

interface SplitDialogProps {
  ticket: TicketThread
  onClose: () => void
}

/** Moves messages of a ticket about another subject into a new one. */
export default function SplitDialog({ ticket, onClose }: SplitDialogProps) {
  const { id, number, messages } = ticket
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [subject, setSubject] = useState('')
  const navigate = useNavigate()
  const refresh = useRefresh()
  const blocked =
    chosen.size === 0
      ? t.splitChoose
      : chosen.size === messages.length
        ? t.splitLeaveOne
        : subject.trim() === ''
          ? t.subjectNeeded
          : undefined
  const choose = (message: string, isChosen: boolean): void => {
    const next = new Set(chosen)
    if (isChosen) next.add(message)
    else next.delete(message)
    setChosen(next)
  }
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t.splitTitle({ number })}
      verb={t.splitVerb}
      kind="warning"
      disabledBecause={blocked}
      onConfirm={async () => {
        const made = await api('POST /api/support/tickets/{id}/split', {
          params: { id },
          body: { messageIds: [...chosen], subject },
        })
        await refresh(TICKET_KEYS)
        toastDone(t.splitDone({ number: made.number }))
        void navigate({ to: paths.deskTicket, params: { id: made.id } })
      }}
    >
      <Column>
        <Text muted>{t.splitText}</Text>
        <TextField
          label={t.subject}
          width="fill"
          autoComplete="off"
          autoFocus
          value={subject}
          onChange={setSubject}
        />
        {messages.map((message) => (
          <Tick
            key={message.id}
            checked={chosen.has(message.id)}
            label={message.bodyMarkdown.slice(0, SHOWN)}
            description={timestampText(message.createdAt)}
            onChange={(next) => choose(message.id, next)}
          />
        ))}
      </Column>
    </ConfirmDialog>
  )
}
