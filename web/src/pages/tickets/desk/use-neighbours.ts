import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { paths } from '../../../paths.ts'
import type { DeskSearch } from '../desk-search.ts'
import { ticketQuery, ticketsQuery } from './desk-query.ts'

/** Navigation between the tickets of the list. */
export interface Neighbours {
  /** Opens the next or the previous one. */
  go(step: 1 | -1): void
  /** Returns to the list. */
  leave(): void
}

/** The neighbours of the open ticket in the list, which are prefetched. */
export function useNeighbours(id: string, search: DeskSearch): Neighbours {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { data } = useQuery({ ...ticketsQuery(search), placeholderData: keepPreviousData })
  const ids = data?.items.map((ticket) => ticket.id) ?? []
  const found = ids.indexOf(id)
  // A ticket that has left the view, because it was solved, keeps its position here.
  const place = useRef(0)
  useEffect(() => {
    if (found >= 0) place.current = found
  }, [found])
  const before = found < 0 ? undefined : ids[found - 1]
  const next = found < 0 ? undefined : ids[found + 1]
  useEffect(() => {
    for (const near of [next, before])
      if (near !== undefined) void client.prefetchQuery(ticketQuery(near))
  }, [client, next, before])
  const go = (step: 1 | -1): void => {
    const to = found >= 0 ? ids[found + step] : ids[place.current + (step === 1 ? 0 : -1)]
    if (to !== undefined) void navigate({ to: paths.deskTicket, params: { id: to }, search })
  }
  return { go, leave: () => void navigate({ to: paths.desk, search }) }
}
