import type { Server } from '@lodge/shared/servers.ts'
import Play from 'lucide-react/icons/play'
import RotateCw from 'lucide-react/icons/rotate-cw'
import Square from 'lucide-react/icons/square'
import Zap from 'lucide-react/icons/zap'
import { useState } from 'react'
import { Button, IconButton } from '../../ui/buttons/button.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'
import { QuickConfirm } from '../../ui/dialogs/quick-confirm.tsx'
import { Row } from '../../ui/page/layout.tsx'
import { useLackingAction, useLackingInList } from './one/use-rights.ts'
import { type PowerAction, usePower, whyNoPower } from './power.ts'
import { StartButton } from './start-button.tsx'

/** Start, stop and restart in one row of a list. */
export function RowPower({ server }: { server: Server }) {
  const power = usePower(server)
  const lacking = useLackingInList(server)
  const blocked = (action: 'start' | 'stop' | 'restart') =>
    lacking(action) ?? whyNoPower(action, server)
  return (
    <Row gap={2} nowrap>
      <IconButton
        label={`Start ${server.name}`}
        size="small"
        disabledBecause={blocked('start')}
        onClick={() => power.mutate('start')}
      >
        <Play />
      </IconButton>
      <QuickConfirm
        question={`Stop ${server.name}?`}
        verb="Stop"
        onConfirm={() => power.mutate('stop')}
      >
        <IconButton label={`Stop ${server.name}`} size="small" disabledBecause={blocked('stop')}>
          <Square />
        </IconButton>
      </QuickConfirm>
      <QuickConfirm
        question={`Restart ${server.name}?`}
        verb="Restart"
        onConfirm={() => power.mutate('restart')}
      >
        <IconButton
          label={`Restart ${server.name}`}
          size="small"
          disabledBecause={blocked('restart')}
        >
          <RotateCw />
        </IconButton>
      </QuickConfirm>
    </Row>
  )
}

/** The power buttons on a server's own pages; kill asks for a confirmation that names its effect. */
export function PowerGroup({ server }: { server: Server }) {
  const power = usePower(server)
  const lacking = useLackingAction(server.id)
  const blocked = (action: PowerAction) => lacking(action) ?? whyNoPower(action, server)
  const [killing, setKilling] = useState(false)
  return (
    <Row gap={6}>
      <StartButton server={server} />
      <QuickConfirm
        question="Stop this server?"
        verb="Stop server"
        onConfirm={() => power.mutate('stop')}
      >
        <Button icon={<Square />} disabledBecause={blocked('stop')}>
          Stop
        </Button>
      </QuickConfirm>
      <QuickConfirm
        question="Restart this server?"
        verb="Restart server"
        onConfirm={() => power.mutate('restart')}
      >
        <Button icon={<RotateCw />} disabledBecause={blocked('restart')}>
          Restart
        </Button>
      </QuickConfirm>
      <IconButton
        label="Kill"
        kind="warning"
        disabledBecause={blocked('kill')}
        onClick={() => setKilling(true)}
      >
        <Zap />
      </IconButton>
      <ConfirmDialog
        opened={killing}
        onClose={() => setKilling(false)}
        title={`Kill ${server.name}`}
        verb="Kill server"
        onConfirm={() => power.mutateAsync('kill')}
      >
        The process ends at once, without saving. Whatever it has not written to disk is lost.
      </ConfirmDialog>
    </Row>
  )
}
