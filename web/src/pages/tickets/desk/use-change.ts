import type { TicketThread } from '@lodge/shared/support/tickets.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, api } from '../../../api.ts'
import { useRefresh } from '../../../query.ts'
import { toastRefused } from '../../../ui/notices/toast.tsx'
import type { Change } from './change.ts'
import { TICKET_KEYS, ticketQuery } from './desk-query.ts'
import { changedFields, type Field, overlaps } from './merge-changes.ts'
import { t } from './words.ts'

/** Somebody else changed the ticket before this change arrived. */
export interface Clash {
  readonly mine: Change
  /** The properties that they changed. */
  readonly theirs: readonly Field[]
  /** They changed the same property, so this change was not applied. */
  readonly isOpen: boolean
}

export interface Changing {
  readonly busy: boolean
  readonly clash: Clash | undefined
  change(what: Change): Promise<void>
  /** Sends this change over theirs, or discards it. */
  settle(how: 'mine' | 'theirs'): void
}

/**
 * Changes properties of a ticket. When somebody else was faster, a change of other properties is sent
 * again automatically, with a note; a change of the same property is left to the person to decide.
 */
export function useChange(ticket: TicketThread): Changing {
  const { id } = ticket
  const client = useQueryClient()
  const refresh = useRefresh()
  const [busy, setBusy] = useState(false)
  const [clash, setClash] = useState<Clash>()

  const send = async (what: Change, base: TicketThread): Promise<void> => {
    try {
      await api('PATCH /api/support/tickets/{id}', {
        params: { id },
        body: { ...what, version: base.version },
      })
    } catch (error) {
      if (!(error instanceof ApiError && error.problem.code === 'ticket_changed')) throw error
      const now = await client.fetchQuery({ ...ticketQuery(id), staleTime: 0 })
      const theirs = changedFields(base, now)
      const isOpen = overlaps(theirs, what)
      setClash({ mine: what, theirs, isOpen })
      if (!isOpen) await send(what, now)
    }
  }
  const change = async (what: Change): Promise<void> => {
    setBusy(true)
    try {
      await send(what, client.getQueryData(ticketQuery(id).queryKey) ?? ticket)
      await refresh(TICKET_KEYS)
    } catch (error) {
      toastRefused(t.changeFailed, error)
    } finally {
      setBusy(false)
    }
  }
  return {
    busy,
    clash,
    change,
    settle: (how) => {
      setClash(undefined)
      if (how === 'mine' && clash?.isOpen) void change(clash.mine)
    },
  }
}
