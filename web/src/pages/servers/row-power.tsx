import type { Server } from '@lodge/shared/servers.ts'
import { useNavigate } from '@tanstack/react-router'
import Copy from 'lucide-react/icons/copy'
import Monitor from 'lucide-react/icons/monitor'
import Play from 'lucide-react/icons/play'
import RotateCw from 'lucide-react/icons/rotate-cw'
import Square from 'lucide-react/icons/square'
import Terminal from 'lucide-react/icons/terminal'
import { useState } from 'react'
import { paths } from '../../paths.ts'
import type { Actor } from '../../session/session.ts'
import { IconButton } from '../../ui/buttons/button.tsx'
import { copyText } from '../../ui/data/clipboard.ts'
import { RowActions } from '../../ui/data/row-actions.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'
import { QuickConfirm } from '../../ui/dialogs/quick-confirm.tsx'
import { toastDone } from '../../ui/notices/toast.tsx'
import { useNarrow } from '../../ui/page/use-narrow.ts'
import { type LackingAction, lackingInList, useLackingAction } from './one/use-rights.ts'
import { stopWords, usePower, whyNoPower } from './power.ts'
import { StopControl } from './stop-control.tsx'
import { addressOf } from './usage.ts'
import { t } from './words.ts'

/** The actions of a server in a row of a list: power as buttons, everything in the menu. */
export function RowPower({ server, me }: { server: Server; me: Actor }) {
  const lacking = lackingInList(me, server)
  return lacking ? <Actions server={server} lacking={lacking} /> : <SharedActions server={server} />
}

const SharedActions = ({ server }: { server: Server }) => (
  <Actions server={server} lacking={useLackingAction(server.id)} />
)

function Actions({ server, lacking }: { server: Server; lacking: LackingAction }) {
  const power = usePower(server)
  const navigate = useNavigate()
  const narrow = useNarrow()
  const [asking, setAsking] = useState<'stop' | 'restart'>()
  const blocked = (action: 'start' | 'stop' | 'restart') =>
    lacking(action) ?? whyNoPower(action, server)
  const { id, kind } = server
  const named = { server: server.name }
  const stopping = stopWords(server)
  const address = addressOf(server)
  const runs = whyNoPower('start', server) !== undefined && whyNoPower('stop', server) === undefined
  const start = (
    <IconButton
      label={t.startNamed(named)}
      size="small"
      disabledBecause={blocked('start')}
      onClick={() => power.mutate('start')}
    >
      <Play />
    </IconButton>
  )
  const askStop = (): void => (stopping.asks ? setAsking('stop') : power.mutate('stop'))
  const stop = (
    <StopControl
      server={server}
      question={t.stopNamedQuestion(named)}
      verb={t.stop}
      onStop={() => power.mutate('stop')}
    >
      <IconButton label={stopping.named} size="small" disabledBecause={blocked('stop')}>
        <Square />
      </IconButton>
    </StopControl>
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
        {runs ? stop : start}
        {/* On cards there is little room beside the name, so only the menu has it. */}
        {narrow ? null : (
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
        )}
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
