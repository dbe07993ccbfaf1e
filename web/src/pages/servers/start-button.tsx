import type { Server } from '@lodge/shared/servers.ts'
import Play from 'lucide-react/icons/play'
import { Button } from '../../ui/button.tsx'
import { usePower, whyNoPower } from './power.ts'

/** Starts a server, or says why that cannot be. */
export function StartButton({ server }: { server: Server }) {
  const power = usePower(server)
  return (
    <Button
      kind="primary"
      icon={<Play />}
      disabledBecause={whyNoPower('start', server)}
      onClick={() => power.mutate('start')}
    >
      Start
    </Button>
  )
}
