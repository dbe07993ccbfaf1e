import type { TicketThread } from '@lodge/shared/support/tickets.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, type Reply } from '../../../api.ts'
import { q } from '../../../query.ts'
import { useMe } from '../../../session/session.ts'

const LIST = 'GET /api/support/tickets'

/** Marks the open ticket as read as soon as the person sees it. */
export function useRead({ id, unread, updatedAt }: TicketThread): void {
  const { viewing } = useMe()
  const client = useQueryClient()
  useEffect(() => {
    if (!unread || viewing !== null) return
    const params = { id }
    /** Updates the cached ticket and lists without a fetch. */
    const settle = (): void => {
      const { queryKey } = q('GET /api/support/tickets/{id}', { params })
      client.setQueryData<TicketThread>(
        queryKey,
        (old) => old && { ...old, unread: old.unread && old.updatedAt !== updatedAt },
      )
      client.setQueriesData<Reply<typeof LIST>>({ queryKey: [LIST] }, (old) => {
        const at = old?.items.findIndex((one) => one.id === id && one.updatedAt === updatedAt) ?? -1
        const found = old?.items[at]
        if (!old || !found) return old
        return { ...old, items: old.items.with(at, { ...found, unread: false }) }
      })
    }
    const read = (): void => {
      if (document.visibilityState !== 'visible') return
      document.removeEventListener('visibilitychange', read)
      // A failure is made up for when the ticket is next opened.
      api('PUT /api/support/tickets/{id}/read', { params, body: { at: updatedAt } }).then(
        settle,
        () => undefined,
      )
    }
    document.addEventListener('visibilitychange', read)
    read()
    return () => document.removeEventListener('visibilitychange', read)
  }, [client, id, unread, updatedAt, viewing])
}
