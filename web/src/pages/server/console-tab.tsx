import type { ServerStatus } from '@lodge/shared/servers.ts'
import X from 'lucide-react/icons/x'
import { IconButton } from '../../ui/button.tsx'
import { Note } from '../../ui/note.tsx'
import { toastRefused } from '../../ui/toast.tsx'
import { CommandLine } from './console/command-line.tsx'
import styles from './console/console.module.css'
import { ConsoleBar } from './console/console-bar.tsx'
import { useLiveScreen } from './console/live-screen.tsx'
import { StoppedScreen } from './console/stopped-screen.tsx'
import { useServer } from './use-server.ts'

const DOWN: readonly ServerStatus[] = [
  'stopped',
  'crashed',
  'suspended',
  'install_failed',
  'deleting',
  'unknown',
]

function whyNoCommand(status: ServerStatus, live: boolean, open: boolean): string | undefined {
  if (!live) return 'The server is not running'
  if (status === 'installing') return 'The server is being installed'
  return open ? undefined : 'The console is not connected'
}

/** The console: live while the server does anything, its last output otherwise. */
export default function ConsoleTab() {
  const server = useServer()
  const live = !DOWN.includes(server.status) && server.nodeOnline
  const { link, troubles, dismiss, screen, send, view } = useLiveScreen(server, live)
  const refused = whyNoCommand(server.status, live, link.state === 'open')
  const command = (line: string): void => {
    if (!send(line))
      toastRefused('The command was not sent', new Error('The console is not connected'))
  }
  return (
    <section className={styles.console} aria-label={`Console of ${server.name}`}>
      <ConsoleBar name={server.name} link={link} screen={screen} />
      <div className={styles.screen}>{live ? view : <StoppedScreen server={server} />}</div>
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
