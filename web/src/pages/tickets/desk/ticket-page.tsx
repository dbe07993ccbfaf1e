import type { TicketThread } from '@lodge/shared/support/tickets.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { paths } from '../../../paths.ts'
import { LoadFailed, PageSkeleton } from '../../../ui/notices/states.tsx'
import { Page } from '../../../ui/page/page.tsx'
import type { DeskSearch } from '../desk-search.ts'
import { Conversation } from './conversation.tsx'
import { ticketQuery } from './desk-query.ts'
import { SidePane } from './side/side-pane.tsx'
import { useChange } from './use-change.ts'
import { type Neighbours, useNeighbours } from './use-neighbours.ts'
import { t } from './words.ts'

/** One ticket, and what is known about its customer. */
export default function TicketPage() {
  const { id } = useParams({ from: '/in/admin/desk/$id' })
  const search = useSearch({ from: '/in/admin/desk' })
  const ticket = useQuery(ticketQuery(id))
  const around = useNeighbours(id, search)
  if (ticket.data) return <Opened key={id} ticket={ticket.data} search={search} around={around} />
  if (!ticket.isError) return <PageSkeleton />
  return (
    <Page title={t.ticket} crumbs={<Link to={paths.desk}>{t.tickets}</Link>}>
      <LoadFailed error={ticket.error} onRetry={() => void ticket.refetch()} />
    </Page>
  )
}

interface OpenedProps {
  ticket: TicketThread
  search: DeskSearch
  around: Neighbours
}

function Opened(props: OpenedProps) {
  const { ticket } = props
  const changing = useChange(ticket)
  return (
    <>
      <Conversation {...props} changing={changing} />
      <SidePane ticket={ticket} changing={changing} />
    </>
  )
}
