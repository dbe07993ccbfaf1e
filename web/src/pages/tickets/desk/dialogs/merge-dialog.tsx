import type { TicketThread } from '@lodge/shared/support/tickets.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useDeferredValue, useState } from 'react'
import { api } from '../../../../api.ts'
import { paths } from '../../../../paths.ts'
import { q, useRefresh } from '../../../../query.ts'
import { FindField } from '../../../../ui/choices/find-field.tsx'
import { ConfirmDialog } from '../../../../ui/dialogs/confirm.tsx'
import { toastDone } from '../../../../ui/notices/toast.tsx'
import { Column, Text } from '../../../../ui/page/layout.tsx'
import { t as parts } from '../../parts/words.ts'
import { TICKET_KEYS } from '../desk-query.ts'
import { t } from '../words.ts'

interface MergeDialogProps {
  ticket: TicketThread
  number: string
  onClose: () => void
}

/** Moves the messages of a ticket into another one. */
export default function MergeDialog({ ticket, number, onClose }: MergeDialogProps) {
  const { requester } = ticket
  const [typed, setTyped] = useState('')
  const [into, setInto] = useState<{ id: string; label: string }>()
  const text = useDeferredValue(typed.trim())
  const navigate = useNavigate()
  const refresh = useRefresh()
  const found = useQuery({
    ...q('GET /api/support/tickets', {
      query: {
        view: 'all',
        limit: 25,
        ...(text && { q: text }),
        ...(requester.id && { requesterId: requester.id }),
      },
    }),
    placeholderData: keepPreviousData,
  })
  const hits = (found.data?.items ?? [])
    .filter(
      ({ id, status, mergedInto }) =>
        id !== ticket.id && status !== 'closed' && mergedInto === null,
    )
    .map(({ id, number: other, subject, status }) => ({
      id,
      label: `${other} ${subject}`,
      place: parts.status({ status }),
    }))
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t.mergeTitle({ number })}
      verb={t.mergeVerb}
      kind="warning"
      disabledBecause={into ? undefined : t.mergeSearch}
      onConfirm={async () => {
        if (!into) return
        await api('PATCH /api/support/tickets/{id}', {
          params: { id: ticket.id },
          body: { version: ticket.version, mergeInto: into.id },
        })
        await refresh(TICKET_KEYS)
        toastDone(t.mergeDone)
        void navigate({ to: paths.deskTicket, params: { id: into.id } })
      }}
    >
      <Column>
        <Text muted>{t.mergeText}</Text>
        <FindField
          label={t.mergeSearch}
          typed={typed}
          hits={hits}
          nothingFound={t.noMatch}
          onType={setTyped}
          onChoose={setInto}
        />
        {into ? <Text strong>{into.label}</Text> : null}
      </Column>
    </ConfirmDialog>
  )
}
