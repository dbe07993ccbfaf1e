import type { Server, ServerStatus } from '@lodge/shared/servers.ts'
import X from 'lucide-react/icons/x'
import { useViewing } from '../../../../session/session.ts'
import { IconButton } from '../../../../ui/buttons/button.tsx'
import { Note } from '../../../../ui/notices/note.tsx'
import { toastRefused } from '../../../../ui/notices/toast.tsx'
import { FigureCards } from '../figure-cards.tsx'
import { useLacking, useUnsupported } from '../use-rights.ts'
import { useServer } from '../use-server.ts'
import { CommandLine } from './command-line.tsx'
import styles from './console.module.css'
import { ConsoleBar } from './console-bar.tsx'
import { ConsoleOff } from './console-off.tsx'
import { useLiveScreen } from './live-screen.tsx'
import { StoppedScreen } from './stopped-screen.tsx'

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
  if (!live) return 'The server is not running'
  if (status === 'installing') return 'The server is being installed'
  return open ? undefined : 'The console is not connected'
}

/** The console beside the charts. */
export default function ConsoleTab() {
  const server = useServer()
  return (
    <div className={styles.beside}>
      <Console server={server} />
      <aside className={styles.rail} aria-label="Figures of the last minutes">
        <FigureCards server={server} />
      </aside>
    </div>
  )
}

/** The console: live while the server is active, else its last output. */
export function Console({ server, alone = false }: { server: Server; alone?: boolean }) {
  const viewing = useViewing()
  const cannot = useUnsupported(server.id)('console')
  const live =
    !viewing && cannot === undefined && !DOWN.includes(server.status) && server.nodeOnline
  const { link, troubles, dismiss, screen, times, showTimes, send, view } = useLiveScreen(
    server,
    live,
  )
  const lacking = useLacking(server.id)
  const refused =
    (viewing ? 'Stop viewing to act as yourself' : undefined) ??
    lacking('POST /api/servers/{id}/command', 'console.write') ??
    cannot ??
    whyNoCommand(server.status, live, link.state === 'open')
  const command = (line: string): void => {
    if (!send(line))
      toastRefused('The command was not sent', new Error('The console is not connected'))
  }
  return (
    <section className={styles.console} aria-label={`Console of ${server.name}`}>
      <ConsoleBar
        server={server}
        alone={alone}
        link={link}
        screen={screen}
        times={times}
        onTimes={showTimes}
      />
      <div className={styles.screen}>
        {cannot !== undefined ? (
          <Note tone="warn">{cannot}.</Note>
        ) : viewing ? (
          <ConsoleOff />
        ) : live ? (
          view
        ) : (
          <StoppedScreen server={server} />
        )}
      </div>
      {troubles.length > 0 ? (
        <div className={styles.cards}>
          {troubles.map(({ id, title, advice }) => (
            <Note
              key={id}
              tone="warn"
              title={title}
              action={
                <IconButton label={`Close: ${title}`} size="small" onClick={() => dismiss(id)}>
                  <X />
                </IconButton>
              }
            >
              {advice}
            </Note>
          ))}
        </div>
      ) : null}
      <CommandLine serverId={server.id} disabledBecause={refused} onSend={command} />
    </section>
  )
}
