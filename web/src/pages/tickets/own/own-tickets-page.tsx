import type { TicketSummary } from '@lodge/shared/support/tickets.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import { paths } from '../../../paths.ts'
import { q } from '../../../query.ts'
import { given } from '../../../routes/search.ts'
import { useMe } from '../../../session/session.ts'
import { LinkButton } from '../../../ui/buttons/link.tsx'
import { Segments } from '../../../ui/choices/segments.tsx'
import { Pager } from '../../../ui/data/pager.tsx'
import { Ago } from '../../../ui/data/time.tsx'
import { Loaded } from '../../../ui/notices/loaded.tsx'
import { Empty } from '../../../ui/notices/states.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { Row } from '../../../ui/page/layout.tsx'
import { Page } from '../../../ui/page/page.tsx'
import { rich } from '../../../ui/page/rich.ts'
import { TicketPill } from '../parts/pills.tsx'
import { Subject } from '../parts/subject.tsx'
import styles from './own.module.css'
import { t } from './words.ts'

type Shown = 'all' | 'pending' | 'solved' | 'closed'

/** The tickets of the signed-in person. */
export default function OwnTicketsPage() {
  const { after, shown } = useSearch({ from: '/in/support' })
  const { id: me } = useMe()
  const navigate = useNavigate({ from: paths.tickets })
  const tickets = useQuery({
    ...q('GET /api/support/tickets', {
      query: given({ requesterId: me, limit: 25, status: shown, after }),
    }),
    placeholderData: keepPreviousData,
  })
  const create = (
    <LinkButton to={paths.newTicket} kind="primary" icon={<Plus />}>
      {t.newTicket}
    </LinkButton>
  )
  return (
    <Page title={t.support} lead={t.lead} narrow actions={create}>
      <div className={styles.filter}>
        <Segments<Shown>
          label={t.shown}
          value={shown ?? 'all'}
          choices={[
            { value: 'all', label: t.everything },
            { value: 'pending', label: t.pending },
            { value: 'solved', label: t.solved },
            { value: 'closed', label: t.closedOnes },
          ]}
          onChange={(next) => void navigate({ search: next === 'all' ? {} : { shown: next } })}
        />
      </div>
      <Card flush>
        <Loaded query={tickets}>
          {({ items }) =>
            items.length > 0 ? (
              <Tickets items={items} />
            ) : (
              <Empty
                title={shown === undefined ? t.none : t.noneShown}
                art="mail"
                action={<LinkButton to={paths.helpCenter}>{t.helpCenter}</LinkButton>}
              >
                {t.noneText}
              </Empty>
            )
          }
        </Loaded>
      </Card>
      <Pager
        shown={tickets.data?.items.length ?? 0}
        after={after}
        next={tickets.data?.nextCursor ?? null}
        onGo={(cursor) => void navigate({ search: given({ shown, after: cursor }) })}
      />
    </Page>
  )
}

const Tickets = ({ items }: { items: readonly TicketSummary[] }) => (
  <ul className={styles.list} aria-label={t.tickets}>
    {items.map(({ id, number, subject, status, unread, updatedAt }) => (
      <li key={id}>
        <Link to={paths.ticket} params={{ id }} className={styles.entry}>
          <Row between nowrap top>
            <Subject unread={unread}>{subject}</Subject>
            <TicketPill status={status} own />
          </Row>
          <span>{rich(t.activity({ number, when: () => <Ago at={updatedAt} /> }))}</span>
        </Link>
      </li>
    ))}
  </ul>
)
