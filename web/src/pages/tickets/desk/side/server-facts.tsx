import type { Server, ServerEvent } from '@lodge/shared/servers.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { paths } from '../../../../paths.ts'
import { q } from '../../../../query.ts'
import { formatBytes } from '../../../../ui/data/numbers.ts'
import { ServerPill } from '../../../../ui/data/status.tsx'
import { Ago, useNow } from '../../../../ui/data/time.tsx'
import { Loaded } from '../../../../ui/notices/loaded.tsx'
import { Note } from '../../../../ui/notices/note.tsx'
import { Facts } from '../../../../ui/page/card.tsx'
import { Text } from '../../../../ui/page/layout.tsx'
import { rich } from '../../../../ui/page/rich.ts'
import { Output } from '../../../../ui/panes/output.tsx'
import { eventWord, exitWords } from '../../../servers/one/crashes/crash-words.ts'
import { plainLine } from '../../../servers/one/plain-line.ts'
import styles from '../desk.module.css'
import { t } from '../words.ts'
import { troubleOf } from './trouble.ts'

const LINES = 20
const SHOWN = 3
const MIB = 1_048_576

/** The server that a ticket is about: state, node, memory, crashes, the end of its console. */
export function ServerFacts({ serverId }: { serverId: string }) {
  const params = { id: serverId }
  const server = useQuery(q('GET /api/servers/{id}', { params }))
  const events = useQuery(q('GET /api/servers/{id}/events', { params, query: { limit: 50 } }))
  const now = useNow(60_000)
  const trouble = events.data && troubleOf(events.data.items, now)
  return (
    <section>
      <h2>{t.aboutServer}</h2>
      <Loaded query={server} lines={3}>
        {(found) => (
          <>
            <Facts
              rows={[
                [
                  t.server,
                  <Link key="server" to={paths.server} params={params}>
                    {found.name}
                  </Link>,
                ],
                [t.status, <ServerPill key="status" status={found.status} />],
                [t.node, found.nodeName],
                [t.memory, memoryOf(found)],
                [t.crashes, trouble?.crashes ?? ''],
              ]}
            />
            <Trouble events={trouble?.shown ?? []} />
            {found.kind === 'container' ? <LastLines serverId={serverId} /> : null}
          </>
        )}
      </Loaded>
    </section>
  )
}

function memoryOf({ usage, memoryMb }: Server): string {
  const most = formatBytes(memoryMb * MIB)
  return usage ? t.memoryOf({ used: formatBytes(usage.memoryBytes), most }) : most
}

/** The newest crashes, with their causes and outcomes. */
function Trouble({ events }: { events: readonly ServerEvent[] }) {
  if (events.length === 0) return null
  return (
    <ul className={styles.events}>
      {events.slice(0, SHOWN).map((event) => {
        const exit = exitWords(event.exit)
        return (
          <li key={event.id}>
            {rich(t.crashed({ what: eventWord(event), when: () => <Ago at={event.at} /> }))}
            {exit === '' || exit === eventWord(event) ? null : <span>{exit}</span>}
          </li>
        )
      })}
    </ul>
  )
}

function LastLines({ serverId }: { serverId: string }) {
  const params = { id: serverId }
  const log = useQuery(q('GET /api/servers/{id}/logs', { params, query: { lines: LINES } }))
  if (log.isError)
    return (
      <Note tone="warn" title={t.linesUnknown}>
        {log.error.message}
      </Note>
    )
  if (!log.data) return null
  const { lines } = log.data
  return (
    <>
      {lines.length === 0 ? (
        <Text muted>{t.noLines}</Text>
      ) : (
        <Output label={t.lastLines} text={lines.map(plainLine).join('\n')} most={220} />
      )}
      <Link to={paths.serverConsole} params={params}>
        {t.openConsole}
      </Link>
    </>
  )
}
