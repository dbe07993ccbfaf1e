import type { TicketSummary } from '@lodge/shared/support/tickets.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import ChartColumn from 'lucide-react/icons/chart-column'
import Plus from 'lucide-react/icons/plus'
import Settings from 'lucide-react/icons/settings'
import { useMemo, useRef, useState } from 'react'
import { paths } from '../../../../paths.ts'
import { useMay } from '../../../../session/session.ts'
import { Pager } from '../../../../ui/data/pager.tsx'
import { Loaded } from '../../../../ui/notices/loaded.tsx'
import { Empty, NoResults } from '../../../../ui/notices/states.tsx'
import { usePageTitle } from '../../../../ui/page/page.tsx'
import { part } from '../../../../ui/page/part.tsx'
import { type DeskSearch, deskSearch } from '../../desk-search.ts'
import styles from '../desk.module.css'
import { FIRST_VIEW, ticketsQuery } from '../desk-query.ts'
import { t } from '../words.ts'
import { ListEntry } from './list-entry.tsx'
import { ListHead } from './list-head.tsx'
import { useListKeys } from './use-list-keys.ts'

const BulkTickets = part(() => import('./bulk-tickets.tsx'))

const NONE: ReadonlyMap<string, TicketSummary> = new Map()
const NOTHING: readonly TicketSummary[] = []

interface TicketListProps {
  search: DeskSearch
  /** The id of the open ticket. */
  open: string | undefined
}

/** The left pane: a view of the desk with search and filters, all stored in the URL. */
export function TicketList({ search, open }: TicketListProps) {
  const may = useMay()
  const navigate = useNavigate()
  const pane = useRef<HTMLElement>(null)
  const [selected, setSelected] = useState(NONE)
  const query = useQuery({ ...ticketsQuery(search), placeholderData: keepPreviousData })
  const rows = query.data?.items ?? NOTHING
  // Includes tickets that have left the view meanwhile, so that their results are shown.
  const chosen = useMemo(() => [...selected.values()], [selected])
  const show = (change: Partial<DeskSearch>): void =>
    void navigate({ to: '.', search: deskSearch({ ...search, after: undefined, ...change }) })
  useListKeys(pane, open === undefined)
  const toggle = (ticket: TicketSummary): void =>
    setSelected((before) => {
      const next = new Map(before)
      if (!next.delete(ticket.id)) next.set(ticket.id, ticket)
      return next
    })
  const isNarrowed = Boolean(search.q || search.priority || search.category || search.group)
  return (
    <section
      ref={pane}
      className={styles.list}
      aria-label={t.tickets}
      data-busy={query.isPlaceholderData || undefined}
    >
      {open === undefined ? <Title view={search.view ?? FIRST_VIEW} /> : null}
      <ListHead search={search} onShow={show}>
        {may('support.reply') && may('customers.view') ? (
          <Link to={paths.newTicket} aria-label={t.newFor} title={t.newFor}>
            <Plus aria-hidden />
          </Link>
        ) : null}
        {may('support.reports') ? (
          <Link to={paths.deskReports} aria-label={t.reportsOf} title={t.reportsOf}>
            <ChartColumn aria-hidden />
          </Link>
        ) : null}
        {may('support.settings') ? (
          <Link to={paths.deskSettings} aria-label={t.settingsOf} title={t.settingsOf}>
            <Settings aria-hidden />
          </Link>
        ) : null}
      </ListHead>
      <Loaded query={query} lines={12}>
        {({ items }) =>
          items.length > 0 ? (
            <ul>
              {items.map((ticket) => (
                <ListEntry
                  key={ticket.id}
                  ticket={ticket}
                  search={search}
                  isOpen={ticket.id === open}
                  {...(may('support.reply') && {
                    isSelected: selected.has(ticket.id),
                    onSelect: () => toggle(ticket),
                  })}
                />
              ))}
            </ul>
          ) : isNarrowed || search.tag ? (
            <NoResults
              title={t.noMatch}
              onClear={() =>
                show({
                  q: undefined,
                  priority: undefined,
                  category: undefined,
                  group: undefined,
                  tag: undefined,
                })
              }
            />
          ) : (
            <Empty title={t.noneOf({ view: search.view ?? FIRST_VIEW })} art="mail">
              {t.noneText}
            </Empty>
          )
        }
      </Loaded>
      <Pager
        shown={rows.length}
        after={search.after}
        next={query.data?.nextCursor ?? null}
        onGo={(after) => show({ after })}
      />
      {chosen.length > 0 ? (
        <BulkTickets tickets={chosen} onClear={() => setSelected(NONE)} />
      ) : null}
    </section>
  )
}

/** The page's title while no ticket is open; a ticket sets its own. */
function Title({ view }: { view: string }) {
  const heading = usePageTitle(t.titleOf({ view }), t.tickets)
  return (
    <h1 ref={heading} tabIndex={-1} className={styles.title}>
      {t.tickets}
    </h1>
  )
}
