import type { Server } from '@lodge/shared/servers.ts'
import { why } from '../../../panel/said.ts'
import { ServerPill } from '../../../ui/data/status.tsx'
import { Text } from '../../../ui/page/layout.tsx'
import styles from '../../servers/one/console/console.module.css'
import { whyItEnded } from '../../servers/one/crashes/crash-words.ts'
import { StartButton } from '../../servers/start-button.tsx'

/** Whether a machine in this state has a screen and a serial console. */
export const isOn = (server: Server): boolean =>
  server.nodeOnline && ['starting', 'running', 'stopping', 'restarting'].includes(server.status)

/** Replaces a dark screen: why it is off, and the one possible action. */
export function MachineOff({ server, children }: { server: Server; children: string }) {
  const ended = why(server.failure?.detail) ?? whyItEnded(server.lastExit)
  return (
    <div className={styles.over}>
      <div>
        <ServerPill status={server.status} />
        {ended === null ? null : <Text>{ended}</Text>}
        <Text muted>{children}</Text>
        <StartButton server={server} />
      </div>
    </div>
  )
}
