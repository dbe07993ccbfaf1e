import type { Server } from '@lodge/shared/servers.ts'
import { useNavigate } from '@tanstack/react-router'
import Copy from 'lucide-react/icons/copy'
import Monitor from 'lucide-react/icons/monitor'
import Play from 'lucide-react/icons/play'
import RotateCw from 'lucide-react/icons/rotate-cw'
import Square from 'lucide-react/icons/square'
import Terminal from 'lucide-react/icons/terminal'
import Zap from 'lucide-react/icons/zap'
import { type ComponentProps, cloneElement, type ReactElement, useState } from 'react'
import { paths } from '../../paths.ts'
import { Button, IconButton } from '../../ui/buttons/button.tsx'
import { copyText } from '../../ui/data/clipboard.ts'
import { RowActions } from '../../ui/data/row-actions.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'
import { QuickConfirm } from '../../ui/dialogs/quick-confirm.tsx'
import { toastDone } from '../../ui/notices/toast.tsx'
import { Row } from '../../ui/page/layout.tsx'
import { useLackingAction, useLackingInList } from './one/use-rights.ts'
import { type PowerAction, stopWords, usePower, whyNoPower } from './power.ts'
import { StartButton } from './start-button.tsx'
import { addressOf } from './usage.ts'
import { t } from './words.ts'

interface StopControlProps {
  server: Server
  question: string
  verb: string
  /** The button. */
  children: ReactElement<ComponentProps<typeof Button> | ComponentProps<typeof IconButton>>
}

/** A button that stops a server; it asks first when that disconnects somebody. */
function StopControl({ server, question, verb, children }: StopControlProps) {
  const power = usePower(server)
  const stop = (): void => power.mutate('stop')
  return stopWords(server).asks ? (
    <QuickConfirm question={question} verb={verb} onConfirm={stop}>
      {children}
    </QuickConfirm>
  ) : (
    cloneElement(children, { onClick: stop })
  )
}

/** The actions of a server in a row of a list: power within reach, everything in the menu. */
export function RowPower({ server }: { server: Server }) {
  const power = usePower(server)
  const navigate = useNavigate()
  const lacking = useLackingInList(server)
  const [asking, setAsking] = useState<'stop' | 'restart'>()
  const blocked = (action: 'start' | 'stop' | 'restart') =>
    lacking(action) ?? whyNoPower(action, server)
  const { id, kind } = server
  const named = { server: server.name }
  const stopping = stopWords(server)
  const address = addressOf(server)
  const runs = blocked('start') !== undefined && blocked('stop') === undefined
  const start = (
    <span key="start" data-first={runs ? undefined : true}>
      <IconButton
        label={t.startNamed(named)}
        size="small"
        disabledBecause={blocked('start')}
        onClick={() => power.mutate('start')}
      >
        <Play />
      </IconButton>
    </span>
  )
  const askStop = (): void => (stopping.asks ? setAsking('stop') : power.mutate('stop'))
  const stop = (
    <span key="stop" data-first={runs || undefined}>
      <StopControl server={server} question={t.stopNamedQuestion(named)} verb={t.stop}>
        <IconButton label={stopping.named} size="small" disabledBecause={blocked('stop')}>
          <Square />
        </IconButton>
      </StopControl>
    </span>
  )
  return (
    <>
      <RowActions
        label={t.actionsFor(named)}
        entries={[
          {
            label: kind === 'vm' ? t.openScreen : t.openConsole,
            icon: kind === 'vm' ? <Monitor aria-hidden /> : <Terminal aria-hidden />,
            onSelect: () =>
              void navigate({
                to: kind === 'vm' ? paths.serverScreen : paths.serverConsole,
                params: { id },
              }),
          },
          {
            label: t.copyAddress,
            icon: <Copy aria-hidden />,
            disabledBecause: address === null ? t.noAddress : undefined,
            onSelect: () =>
              void copyText(address ?? '').then((copied) => {
                if (copied) toastDone(t.addressCopied, address ?? '')
              }),
          },
          {
            label: t.start,
            icon: <Play aria-hidden />,
            separated: true,
            disabledBecause: blocked('start'),
            onSelect: () => power.mutate('start'),
          },
          {
            label: stopping.asks ? t.stopAsk : stopping.label,
            icon: <Square aria-hidden />,
            disabledBecause: blocked('stop'),
            onSelect: askStop,
          },
          {
            label: t.restartAsk,
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
            question={t.restartNamedQuestion(named)}
            verb={t.restart}
            onConfirm={() => power.mutate('restart')}
          >
            <IconButton
              label={t.restartNamed(named)}
              size="small"
              disabledBecause={blocked('restart')}
            >
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
          title={asking === 'stop' ? t.stopNamed(named) : t.restartNamed(named)}
          verb={asking === 'stop' ? t.stopServer : t.restartServer}
          onConfirm={() => power.mutateAsync(asking)}
        >
          {t.disconnects}
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
      <StopControl server={server} question={t.stopQuestion} verb={t.stopServer}>
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
