import type { TicketThread } from '@lodge/shared/support/tickets.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { paths } from '../../../../paths.ts'
import { q } from '../../../../query.ts'
import { useMay } from '../../../../session/session.ts'
import { ServerPill } from '../../../../ui/data/status.tsx'
import { Ago } from '../../../../ui/data/time.tsx'
import { Loaded } from '../../../../ui/notices/loaded.tsx'
import { Facts } from '../../../../ui/page/card.tsx'
import { Text } from '../../../../ui/page/layout.tsx'
import { plansOf } from '../../../customers/plans-of.ts'
import { TicketPill } from '../../parts/pills.tsx'
import { requesterText } from '../../parts/requester.ts'
import styles from '../desk.module.css'
import { Sorting } from '../sorting.tsx'
import type { Changing } from '../use-change.ts'
import { t } from '../words.ts'
import { Answers } from './answers.tsx'
import { Happened } from './happened.tsx'
import { ServerFacts } from './server-facts.tsx'

interface SidePaneProps {
  ticket: TicketThread
  changing: Changing
}

/** The right pane: the customer, what they have, and the server that the ticket is about. */
export function SidePane({ ticket, changing }: SidePaneProps) {
  const may = useMay()
  const { requester, serverId, participants, mergedInto, followUpOf } = ticket
  const { id } = requester
  return (
    <aside className={styles.side} aria-label={t.details}>
      <Sorting ticket={ticket} changing={changing} />
      <section>
        <h2>{t.person}</h2>
        {id !== null && may('customers.view') ? (
          <PersonFacts id={id} />
        ) : (
          <Text>{requesterText(requester)}</Text>
        )}
        {id === null && requester.email === '' ? (
          <Text small muted>
            {t.answersOnPage}
          </Text>
        ) : null}
        {participants.length > 0 ? (
          <Text small muted>
            {t.participants({ who: participants.map(({ email }) => email).join(', ') })}
          </Text>
        ) : null}
      </section>
      <Answers ticket={ticket} />
      {serverId !== null && may('servers.view') ? <ServerFacts serverId={serverId} /> : null}
      {id !== null && may('servers.view') ? <ServersOf owner={id} but={serverId} /> : null}
      {(mergedInto ?? followUpOf) ? (
        <section>
          <h2>{mergedInto ? t.mergedInto : t.follows}</h2>
          <Link to={paths.deskTicket} params={{ id: mergedInto ?? followUpOf ?? '' }}>
            {t.openOther}
          </Link>
        </section>
      ) : null}
      {id !== null ? <Others ticketId={ticket.id} requesterId={id} /> : null}
      <Happened ticket={ticket} />
    </aside>
  )
}

function PersonFacts({ id }: { id: string }) {
  const customer = useQuery(q('GET /api/customers/{id}', { params: { id } }))
  const limits = useQuery(q('GET /api/customers/{id}/limits', { params: { id } }))
  const plans = limits.data ? plansOf(limits.data).join(', ') : ''
  return (
    <Loaded query={customer} lines={3}>
      {({ email, name, createdAt }) => (
        <Facts
          rows={[
            [
              name ? t.requester : t.email,
              <Link key="email" to={paths.customer} params={{ id }}>
                {name ?? email}
              </Link>,
            ],
            ...(name ? [[t.email, email] as const] : []),
            [t.plan, plans === '' ? t.noPlan : plans],
            [t.customerSince, <Ago key="since" at={createdAt} />],
          ]}
        />
      )}
    </Loaded>
  )
}

function ServersOf({ owner, but }: { owner: string; but: string | null }) {
  const servers = useQuery(q('GET /api/servers', { query: { ownerId: owner, limit: 25 } }))
  const others = servers.data?.items.filter(({ id }) => id !== but) ?? []
  if (others.length === 0) return null
  return (
    <section>
      <h2>{but === null ? t.servers : t.otherServers}</h2>
      <ul>
        {others.map(({ id, name, status }) => (
          <li key={id}>
            <Link to={paths.server} params={{ id }}>
              {name}
            </Link>
            <ServerPill status={status} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Others({ ticketId, requesterId }: { ticketId: string; requesterId: string }) {
  const tickets = useQuery(
    q('GET /api/support/tickets', { query: { requesterId, view: 'all', limit: 10 } }),
  )
  const others = tickets.data?.items.filter(({ id }) => id !== ticketId) ?? []
  return (
    <section>
      <h2>{t.otherTickets}</h2>
      {others.length === 0 ? (
        <Text muted>{t.noOthers}</Text>
      ) : (
        <ul>
          {others.map(({ id, subject, status }) => (
            <li key={id}>
              <Link to={paths.deskTicket} params={{ id }}>
                {subject}
              </Link>
              <TicketPill status={status} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
