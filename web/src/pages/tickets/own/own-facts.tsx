import type { TicketThread } from '@lodge/shared/support/tickets.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { paths } from '../../../paths.ts'
import { q } from '../../../query.ts'
import { useMe } from '../../../session/session.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Ago } from '../../../ui/data/time.tsx'
import { Card, Facts } from '../../../ui/page/card.tsx'
import { part } from '../../../ui/page/part.tsx'
import { t } from './words.ts'

const PeopleDialog = part(() => import('../parts/people-dialog.tsx'))

/** The subject of a ticket: category, server, subscription. */
export function OwnFacts({ ticket }: { ticket: TicketThread }) {
  const { serverId, category, tier, createdAt, participants, followUpOf } = ticket
  const server = useQuery({
    ...q('GET /api/servers/{id}', { params: { id: serverId ?? '' } }),
    enabled: serverId !== null,
  })
  const { id: me, viewing } = useMe()
  const isOwn = ticket.requester.id === me && viewing === null && ticket.mergedInto === null
  const [opened, setOpened] = useState(false)
  const close = (): void => setOpened(false)
  const rows = [
    [t.created, <Ago key="created" at={createdAt} />] as const,
    ...(category ? [[t.topic, category] as const] : []),
    ...(tier ? [[t.tier, tier] as const] : []),
    ...(server.data
      ? [
          [
            t.server,
            <Link key="server" to={paths.server} params={{ id: server.data.id }}>
              {server.data.name}
            </Link>,
          ] as const,
        ]
      : []),
    ...(participants.length > 0
      ? [[t.participants, participants.map(({ email }) => email).join(', ')] as const]
      : []),
    ...(followUpOf
      ? [
          [
            t.follows,
            <Link key="follows" to={paths.ticket} params={{ id: followUpOf }}>
              {t.earlier}
            </Link>,
          ] as const,
        ]
      : []),
  ]
  return (
    <Card
      title={t.facts}
      actions={
        isOwn ? (
          <Button size="small" onClick={() => setOpened(true)}>
            {t.people}
          </Button>
        ) : undefined
      }
    >
      <Facts rows={rows} />
      {opened ? <PeopleDialog ticket={ticket} onClose={close} onLost={close} /> : null}
    </Card>
  )
}
