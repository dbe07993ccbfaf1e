import type { Server, ServerStatus } from '@lodge/shared/servers.ts'
import { useQuery } from '@tanstack/react-query'
import X from 'lucide-react/icons/x'
import { useRef, useState } from 'react'
import { q } from '../../../../query.ts'
import { useViewing } from '../../../../session/session.ts'
import { IconButton } from '../../../../ui/buttons/button.tsx'
import { Note } from '../../../../ui/notices/note.tsx'
import { toastRefused } from '../../../../ui/notices/toast.tsx'
import { useLacking, useUnsupported } from '../use-rights.ts'
import { useServer } from '../use-server.ts'
import { CommandLine } from './command-line.tsx'
import styles from './console.module.css'
import { ConsoleBar, type Source } from './console-bar.tsx'
import { ConsoleOff } from './console-off.tsx'
import { InstallScreen } from './install-screen.tsx'
import { useLiveScreen } from './live-screen.tsx'
import { StoppedScreen } from './stopped-screen.tsx'
import { useKeyboardInset } from './use-keyboard-inset.ts'
import { useViewSettings } from './view-settings.ts'
import { t } from './words.ts'

const DOWN: readonly ServerStatus[] = [
  'stopped',
  'crashed',
  'ended',
  'suspended',
  'deletion_scheduled',
  'install_failed',
  'deleting',
  'unknown',
]

function whyNoCommand(status: ServerStatus, live: boolean, open: boolean): string | undefined {
  if (!live) return t.notRunning
  if (status === 'installing') return t.beingInstalled
  return open ? undefined : t.consoleNotConnected
}

/** The default source: where the interesting output is. */
const sourceOf = (status: ServerStatus): Source =>
  status === 'installing' || status === 'install_failed' ? 'install' : 'run'

/** The console of the server on this page. */
export default function ConsoleTab() {
  return <Console server={useServer()} />
}

/** The console: live while the server is active, otherwise its last output; or the install log. */
export function Console({ server, alone = false }: { server: Server; alone?: boolean }) {
  const viewing = useViewing()
  const cannot = useUnsupported(server.id)('console')
  const [chosen, setChosen] = useState<Source>()
  const [view, setView] = useViewSettings()
  const pane = useRef<HTMLElement>(null)
  useKeyboardInset(pane)
  const source = chosen ?? sourceOf(server.status)
  const installing = server.status === 'installing'
  const live =
    !viewing &&
    cannot === undefined &&
    !DOWN.includes(server.status) &&
    server.nodeOnline &&
    // While it is being installed only the installer has output.
    (source === 'install') === installing
  const kind = installing ? 'install_log' : 'console'
  const {
    link,
    troubles,
    dismiss,
    screen,
    send,
    view: terminal,
  } = useLiveScreen(server, live, kind, view)
  const guide = useQuery({
    ...q('GET /api/servers/{id}/guide', { params: { id: server.id } }),
    staleTime: 60_000,
  })
  const lacking = useLacking(server.id)
  const refused =
    (viewing ? t.viewing : undefined) ??
    lacking('POST /api/servers/{id}/command', 'console.write') ??
    cannot ??
    (source === 'install' && !installing ? t.installLogReadOnly : undefined) ??
    whyNoCommand(server.status, live, link.state === 'open')
  const command = (line: string): void => {
    if (!send(line)) toastRefused(t.notSent, new Error(t.consoleNotConnected))
  }
  return (
    <section
      ref={pane}
      className={styles.console}
      aria-label={t.consoleOf({ server: server.name })}
    >
      <ConsoleBar
        server={server}
        alone={alone}
        source={source}
        onSource={setChosen}
        settings={view}
        onSettings={setView}
        link={link}
        screen={screen}
      />
      <div className={styles.screen}>
        {cannot !== undefined ? (
          <Note tone="warn">{t.because({ reason: cannot })}</Note>
        ) : viewing ? (
          <ConsoleOff />
        ) : live ? (
          terminal
        ) : source === 'install' ? (
          <InstallScreen server={server} view={view} />
        ) : (
          <StoppedScreen server={server} view={view} />
        )}
      </div>
      {link.state === 'lost' && link.blocked !== undefined ? (
        <div className={styles.cards} role="status">
          <Note tone="warn" title={t.blockedTitle}>
            {link.blocked}
          </Note>
        </div>
      ) : null}
      {troubles.length > 0 ? (
        <div className={styles.cards}>
          {troubles.map(({ id, title, advice }) => (
            <Note
              key={id}
              tone="warn"
              title={title}
              action={
                <IconButton
                  label={t.closeAdvice({ title })}
                  size="small"
                  onClick={() => dismiss(id)}
                >
                  <X />
                </IconButton>
              }
            >
              {advice}
            </Note>
          ))}
        </div>
      ) : null}
      <CommandLine
        serverId={server.id}
        known={guide.data?.commands ?? []}
        disabledBecause={refused}
        onSend={command}
      />
    </section>
  )
}
