import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { paths } from '../../../../paths.ts'
import { q } from '../../../../query.ts'
import { ServerPill } from '../../../../ui/data/status.tsx'
import { useNow } from '../../../../ui/data/time.tsx'
import { Loaded } from '../../../../ui/notices/loaded.tsx'
import { Facts } from '../../../../ui/page/card.tsx'
import { Text } from '../../../../ui/page/layout.tsx'
import { Output } from '../../../../ui/panes/output.tsx'
import { plainLine } from '../../../servers/one/plain-line.ts'
import { t } from '../words.ts'

const LINES = 20
const WEEK_MS = 7 * 24 * 3_600_000
const CRASHES: readonly string[] = ['crashed', 'gave_up', 'out_of_memory', 'disk_full']

/** The server that a ticket is about: state, crashes, the end of its console. */
export function ServerFacts({ serverId }: { serverId: string }) {
  const params = { id: serverId }
  const server = useQuery(q('GET /api/servers/{id}', { params }))
  const events = useQuery(q('GET /api/servers/{id}/events', { params, query: { limit: 50 } }))
  const now = useNow(60_000)
  const crashes = events.data?.items.filter(
    ({ kind, at }) => CRASHES.includes(kind) && now - Date.parse(at) < WEEK_MS,
  ).length
  return (
    <section>
      <h2>{t.aboutServer}</h2>
      <Loaded query={server} lines={3}>
        {({ name, status, kind }) => (
          <>
            <Facts
              rows={[
                [
                  t.server,
                  <Link key="server" to={paths.server} params={params}>
                    {name}
                  </Link>,
                ],
                [t.status, <ServerPill key="status" status={status} />],
                [t.crashes, crashes ?? ''],
              ]}
            />
            {kind === 'container' ? <LastLines serverId={serverId} /> : null}
          </>
        )}
      </Loaded>
    </section>
  )
}

function LastLines({ serverId }: { serverId: string }) {
  const log = useQuery(
    q('GET /api/servers/{id}/logs', { params: { id: serverId }, query: { lines: LINES } }),
  )
  if (!log.data) return null
  const { lines } = log.data
  if (lines.length === 0) return <Text muted>{t.noLines}</Text>
  return <Output label={t.lastLines} text={lines.map(plainLine).join('\n')} most={220} />
}
