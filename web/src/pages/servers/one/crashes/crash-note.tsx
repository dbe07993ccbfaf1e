import type { CrashPolicy, CrashState, Server } from '@lodge/shared/servers.ts'
import { useQuery } from '@tanstack/react-query'
import { saidReason } from '../../../../panel/said.ts'
import { q } from '../../../../query.ts'
import { Button } from '../../../../ui/buttons/button.tsx'
import { Ago, useNow } from '../../../../ui/data/time.tsx'
import { Note } from '../../../../ui/notices/note.tsx'
import { Row } from '../../../../ui/page/layout.tsx'
import { rich } from '../../../../ui/page/rich.ts'
import { stopWords, usePower, whyNoPower } from '../../power.ts'
import { StartButton } from '../../start-button.tsx'
import { useLackingAction } from '../use-rights.ts'
import { restartWords, whyItEnded } from './crash-words.ts'
import { t } from './words.ts'

type Guard = CrashPolicy & CrashState

/** What the crash guard will do with a crashed server, or why it has stopped. */
export function CrashNote({ server }: { server: Server }) {
  const down = server.status === 'restarting' || server.status === 'crashed'
  const { data } = useQuery({
    ...q('GET /api/servers/{id}/crash-policy', { params: { id: server.id } }),
    enabled: down,
  })
  if (server.status === 'restarting' && server.restartAt !== null)
    return <RestartNote server={server} at={server.restartAt} guard={data} />
  if (server.status === 'crashed' && data?.gaveUp)
    return <GaveUpNote server={server} gaveUp={data.gaveUp} />
  return null
}

/** When it restarts, and how to prevent that. */
function RestartNote(given: { server: Server; at: string; guard: Guard | undefined }) {
  const { server, at, guard } = given
  const now = useNow(1_000)
  const power = usePower(server)
  const lacking = useLackingAction(server.id)
  // The guard's state describes this restart only if it was fetched after the decision.
  const counted = guard?.restartAt === at ? guard : undefined
  return (
    <Note
      tone="warn"
      title={restartWords((Date.parse(at) - now) / 1_000, counted)}
      action={
        <Row gap={6}>
          <Button
            size="small"
            disabledBecause={lacking('start') ?? whyNoPower('start', server)}
            onClick={() => power.mutate('start')}
          >
            {t.startNow}
          </Button>
          <Button
            size="small"
            disabledBecause={lacking('stop') ?? whyNoPower('stop', server)}
            onClick={() => power.mutate('stop')}
          >
            {stopWords(server).label}
          </Button>
        </Row>
      }
    >
      {whyItEnded(server.lastExit) ?? t.whyUnknown}
    </Note>
  )
}

/** It was restarted too often, so only a person can start it now. */
function GaveUpNote(given: { server: Server; gaveUp: NonNullable<CrashState['gaveUp']> }) {
  const { server, gaveUp } = given
  return (
    <Note tone="err" title={t.noMoreRestarts} action={<StartButton server={server} />}>
      {rich(
        t.noMoreRestartsText({
          reason: saidReason(gaveUp.reason),
          when: () => <Ago at={gaveUp.at} />,
        }),
      )}
    </Note>
  )
}
