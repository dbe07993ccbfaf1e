import type { Server } from '@lodge/shared/servers.ts'
import { useNavigate } from '@tanstack/react-router'
import Copy from 'lucide-react/icons/copy'
import Monitor from 'lucide-react/icons/monitor'
import Play from 'lucide-react/icons/play'
import RotateCw from 'lucide-react/icons/rotate-cw'
import Square from 'lucide-react/icons/square'
import Terminal from 'lucide-react/icons/terminal'
import Zap from 'lucide-react/icons/zap'
import { useState } from 'react'
import { paths } from '../../paths.ts'
import { Button, IconButton } from '../../ui/buttons/button.tsx'
import { copyText } from '../../ui/data/clipboard.ts'
import { RowActions } from '../../ui/data/row-actions.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'
import { QuickConfirm } from '../../ui/dialogs/quick-confirm.tsx'
import { toastDone } from '../../ui/notices/toast.tsx'
import { Row } from '../../ui/page/layout.tsx'
import { useLackingAction, useLackingInList } from './one/use-rights.ts'
import { type PowerAction, usePower, whyNoPower } from './power.ts'
import { StartButton } from './start-button.tsx'
import { addressOf } from './usage.ts'

/** The actions of a server in a row of a list: power within reach, everything in the menu. */
export function RowPower({ server }: { server: Server }) {
  const power = usePower(server)
  const navigate = useNavigate()
  const lacking = useLackingInList(server)
  const [asking, setAsking] = useState<'stop' | 'restart'>()
  const blocked = (action: 'start' | 'stop' | 'restart') =>
    lacking(action) ?? whyNoPower(action, server)
  const { id, name, kind } = server
  const address = addressOf(server)
  const runs = blocked('start') !== undefined && blocked('stop') === undefined
  const start = (
    <span key="start" data-first={runs ? undefined : true}>
      <IconButton
        label={`Start ${name}`}
        size="small"
        disabledBecause={blocked('start')}
        onClick={() => power.mutate('start')}
      >
        <Play />
      </IconButton>
    </span>
  )
  const stop = (
    <span key="stop" data-first={runs || undefined}>
      <QuickConfirm question={`Stop ${name}?`} verb="Stop" onConfirm={() => power.mutate('stop')}>
        <IconButton label={`Stop ${name}`} size="small" disabledBecause={blocked('stop')}>
          <Square />
        </IconButton>
      </QuickConfirm>
    </span>
  )
  return (
    <>
      <RowActions
        label={`Actions for ${name}`}
        entries={[
          {
            label: kind === 'vm' ? 'Open screen' : 'Open console',
            icon: kind === 'vm' ? <Monitor aria-hidden /> : <Terminal aria-hidden />,
            onSelect: () =>
              void navigate({
                to: kind === 'vm' ? paths.serverScreen : paths.serverConsole,
                params: { id },
              }),
          },
          {
            label: 'Copy address',
            icon: <Copy aria-hidden />,
            disabledBecause: address === null ? 'It has no address' : undefined,
            onSelect: () =>
              void copyText(address ?? '').then((copied) => {
                if (copied) toastDone('Copied the address', address ?? '')
              }),
          },
          {
            label: 'Start',
            icon: <Play aria-hidden />,
            separated: true,
            disabledBecause: blocked('start'),
            onSelect: () => power.mutate('start'),
          },
          {
            label: 'Stop…',
            icon: <Square aria-hidden />,
            disabledBecause: blocked('stop'),
            onSelect: () => setAsking('stop'),
          },
          {
            label: 'Restart…',
            icon: <RotateCw aria-hidden />,
            disabledBecause: blocked('restart'),
            onSelect: () => setAsking('restart'),
          },
        ]}
      >
        {start}
        {stop}
        <span>
          <QuickConfirm
            question={`Restart ${name}?`}
            verb="Restart"
            onConfirm={() => power.mutate('restart')}
          >
            <IconButton label={`Restart ${name}`} size="small" disabledBecause={blocked('restart')}>
              <RotateCw />
            </IconButton>
          </QuickConfirm>
        </span>
      </RowActions>
      {asking === undefined ? null : (
        <ConfirmDialog
          opened
          kind="primary"
          onClose={() => setAsking(undefined)}
          title={asking === 'stop' ? `Stop ${name}` : `Restart ${name}`}
          verb={asking === 'stop' ? 'Stop server' : 'Restart server'}
          onConfirm={() => power.mutateAsync(asking)}
        >
          Everybody who is connected is disconnected.
        </ConfirmDialog>
      )}
    </>
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
