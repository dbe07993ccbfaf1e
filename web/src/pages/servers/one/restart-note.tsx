import type { Server } from '@lodge/shared/servers.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { useNow } from '../../../ui/data/time.tsx'
import { Note } from '../../../ui/notices/note.tsx'
import { Row } from '../../../ui/page/layout.tsx'
import { usePower, whyNoPower } from '../power.ts'
import { whyItEnded } from './crash-words.ts'

/** Announces the automatic restart of a crashed server and offers to prevent it. */
export function RestartNote({ server }: { server: Server }) {
  const now = useNow(1_000)
  const power = usePower(server)
  if (server.status !== 'restarting' || server.restartAt === null) return null
  const seconds = Math.max(0, Math.ceil((Date.parse(server.restartAt) - now) / 1_000))
  return (
    <Note
      tone="warn"
      title={seconds > 0 ? `It starts again in ${seconds} s` : 'It is being started again'}
      action={
        <Row gap={6}>
          <Button
            size="small"
            disabledBecause={whyNoPower('start', server)}
            onClick={() => power.mutate('start')}
          >
            Start now
          </Button>
          <Button
            size="small"
            disabledBecause={whyNoPower('stop', server)}
            onClick={() => power.mutate('stop')}
          >
            Leave it stopped
          </Button>
        </Row>
      }
    >
      {whyItEnded(server.lastExit) ?? 'It ended unexpectedly.'}
    </Note>
  )
}
