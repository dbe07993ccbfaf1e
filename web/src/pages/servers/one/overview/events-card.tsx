import { useQuery } from '@tanstack/react-query'
import { paths } from '../../../../paths.ts'
import { q } from '../../../../query.ts'
import { LinkButton } from '../../../../ui/buttons/link.tsx'
import { Loaded } from '../../../../ui/notices/loaded.tsx'
import { Card } from '../../../../ui/page/card.tsx'
import { CrashTimeline } from '../crashes/crash-timeline.tsx'
import { t } from './words.ts'

const SHOWN = 5

/** The newest entries of a server's history. */
export function EventsCard({ serverId }: { serverId: string }) {
  const params = { id: serverId }
  const events = useQuery(q('GET /api/servers/{id}/events', { params, query: { limit: 50 } }))
  return (
    <Card
      title={t.events}
      flush
      actions={
        <LinkButton to={paths.serverCrashes} params={params} size="small" kind="quiet">
          {t.allEvents}
        </LinkButton>
      }
    >
      <Loaded query={events} lines={3}>
        {({ items }) => <CrashTimeline events={items.slice(0, SHOWN)} />}
      </Loaded>
    </Card>
  )
}
