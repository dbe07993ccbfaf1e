import type { Server } from '@lodge/shared/servers.ts'
import RotateCw from 'lucide-react/icons/rotate-cw'
import Square from 'lucide-react/icons/square'
import Zap from 'lucide-react/icons/zap'
import { useState } from 'react'
import { Button, IconButton } from '../../ui/buttons/button.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'
import { QuickConfirm } from '../../ui/dialogs/quick-confirm.tsx'
import { Row } from '../../ui/page/layout.tsx'
import { useLackingAction } from './one/use-rights.ts'
import { type PowerAction, stopWords, usePower, whyNoPower } from './power.ts'
import { StartButton } from './start-button.tsx'
import { StopControl } from './stop-control.tsx'
import { t } from './words.ts'

/** The power buttons on a server's own pages; kill asks first and names its effect. */
export function PowerGroup({ server }: { server: Server }) {
  const power = usePower(server)
  const lacking = useLackingAction(server.id)
  const blocked = (action: PowerAction) => lacking(action) ?? whyNoPower(action, server)
  const [killing, setKilling] = useState(false)
  return (
    <Row gap={6}>
      <StartButton server={server} />
      <StopControl
        server={server}
        question={t.stopQuestion}
        verb={t.stopServer}
        onStop={() => power.mutate('stop')}
      >
        <Button icon={<Square />} disabledBecause={blocked('stop')}>
          {stopWords(server).label}
        </Button>
      </StopControl>
      <QuickConfirm
        question={t.restartQuestion}
        verb={t.restartServer}
        onConfirm={() => power.mutate('restart')}
      >
        <Button icon={<RotateCw />} disabledBecause={blocked('restart')}>
          {t.restart}
        </Button>
      </QuickConfirm>
      <IconButton
        label={t.kill}
        kind="warning"
        disabledBecause={blocked('kill')}
        onClick={() => setKilling(true)}
      >
        <Zap />
      </IconButton>
      <ConfirmDialog
        opened={killing}
        onClose={() => setKilling(false)}
        title={t.killNamed({ server: server.name })}
        verb={t.killServer}
        onConfirm={() => power.mutateAsync('kill')}
      >
        {t.losesUnsaved}
      </ConfirmDialog>
    </Row>
  )
}
