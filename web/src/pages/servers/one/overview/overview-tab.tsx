import { useQuery } from '@tanstack/react-query'
import { paths } from '../../../../paths.ts'
import { q } from '../../../../query.ts'
import { LinkButton } from '../../../../ui/buttons/link.tsx'
import { Card } from '../../../../ui/page/card.tsx'
import { Column, Split } from '../../../../ui/page/layout.tsx'
import { Output } from '../../../../ui/panes/output.tsx'
import { plainLine } from '../plain-line.ts'
import { useServer } from '../use-server.ts'
import { BackupCard } from './backup-card.tsx'
import { ConnectionCard } from './connection-card.tsx'
import { DetailsCard } from './details-card.tsx'
import { EventsCard } from './events-card.tsx'
import { GuardCard } from './guard-card.tsx'
import { HourCard } from './hour-card.tsx'
import { NextRunCard } from './next-run-card.tsx'
import { NotesCard } from './notes-card.tsx'
import { PlanCard } from './plan-card.tsx'
import { PlayersCard } from './players-card.tsx'
import { t } from './words.ts'

const LINES = 6

/** A server at a glance. The header shows its usage. */
export default function OverviewTab() {
  const server = useServer()
  const params = { id: server.id }
  const log = useQuery(q('GET /api/servers/{id}/logs', { params, query: { lines: LINES } }))
  const vm = server.kind === 'vm'
  return (
    <Split side={340}>
      <Column>
        <HourCard server={server} />
        <Card
          title={vm ? t.serial : t.lastOutput}
          actions={
            <LinkButton
              to={vm ? paths.serverSerial : paths.serverConsole}
              params={params}
              size="small"
              kind="quiet"
            >
              {vm ? t.openSerial : t.openConsole}
            </LinkButton>
          }
        >
          <Output
            label={t.lastOutput}
            least={132}
            text={
              log.data?.lines.slice(-LINES).map(plainLine).join('\n') ||
              log.error?.message ||
              t.noOutput
            }
          />
        </Card>
        <EventsCard serverId={server.id} />
      </Column>
      <Column>
        <ConnectionCard server={server} />
        {vm ? null : <PlayersCard server={server} />}
        <BackupCard server={server} />
        <NotesCard serverId={server.id} />
        <DetailsCard server={server} />
        <GuardCard server={server} />
        <NextRunCard serverId={server.id} />
        <PlanCard server={server} />
      </Column>
    </Split>
  )
}
