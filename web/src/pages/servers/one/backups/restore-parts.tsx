import type { Backup } from '@lodge/shared/backups.ts'
import type { Server } from '@lodge/shared/servers.ts'
import type { Key } from '../../../../api.ts'
import { Text } from '../../../../ui/page/layout.tsx'
import styles from './backups.module.css'

export interface RestoreProps {
  backup: Backup
  server: Server
  onDone: () => void
}

/** What a restore that has begun changes. */
export const REFRESHES: readonly Key<'GET'>[] = [
  'GET /api/servers/{id}/backups',
  'GET /api/servers/{id}',
  'GET /api/jobs',
]

export const Steps = ({ steps }: { steps: readonly string[] }) => (
  <ol className={styles.steps}>
    {steps.map((step) => (
      <li key={step}>{step}</li>
    ))}
  </ol>
)

/** What a restore does not touch, since the backup has nothing to put in its place. */
export const Stays = ({
  patterns,
  text,
}: {
  patterns: readonly string[]
  text: (given: { patterns: string }) => string
}) => (patterns.length === 0 ? null : <Text>{text({ patterns: patterns.join(', ') })}</Text>)
