import type { Server } from '@lodge/shared/servers.ts'
import Play from 'lucide-react/icons/play'
import { Button } from '../../ui/buttons/button.tsx'
import { useLackingAction } from './one/use-rights.ts'
import { usePower, whyNoPower } from './power.ts'
import { t } from './words.ts'

/** Starts a server; disabled with the reason while impossible. */
export function StartButton({ server }: { server: Server }) {
  const power = usePower(server)
  const lacking = useLackingAction(server.id)('start')
  return (
    <Button
      kind="primary"
      icon={<Play />}
      disabledBecause={lacking ?? whyNoPower('start', server)}
      onClick={() => power.mutate('start')}
    >
      {t.start}
    </Button>
  )
}
