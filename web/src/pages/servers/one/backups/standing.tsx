import type { BackupStanding } from '@lodge/shared/backups.ts'
import type { Server } from '@lodge/shared/servers.ts'
import { useMe } from '../../../../session/session.ts'
import { Meter } from '../../../../ui/data/meter.tsx'
import { formatMib } from '../../../../ui/data/numbers.ts'
import { Ago, At } from '../../../../ui/data/time.tsx'
import { Note } from '../../../../ui/notices/note.tsx'
import { Grid, Text } from '../../../../ui/page/layout.tsx'
import { rich } from '../../../../ui/page/rich.ts'
import { t } from './words.ts'

interface StandingProps {
  standing: BackupStanding
  server: Server
}

/** The usage of the limits; nothing without limits. */
export function BackupUse({ standing: { used, max }, server }: StandingProps) {
  const own = useMe().id === server.ownerId
  const uses = [
    { label: t.usedServer, used: used.serverBackups, of: max.serverBackups, write: String },
    {
      label: own ? t.usedAccount : t.usedAccountOther,
      used: used.backups,
      of: max.backups,
      write: String,
    },
    { label: t.usedStorage, used: used.storageMb, of: max.storageMb, write: formatMib },
  ].flatMap(({ label, used: value, of, write }) =>
    of === null
      ? []
      : [{ label, value, of, text: t.usedOf({ used: write(value), limit: write(of) }) }],
  )
  if (uses.length === 0) return null
  return (
    <Grid least={190} gap={20}>
      {uses.map((use) => (
        <Meter key={use.label} {...use} compact />
      ))}
    </Grid>
  )
}

/** A note that the files from before the last restore can still be recovered. */
export const FormerNote = ({ standing: { former }, server }: StandingProps) =>
  former === null ? null : (
    <Note tone="info" title={server.kind === 'vm' ? t.formerKeptMachine : t.formerKept}>
      {rich(t.formerKeptText({ when: () => <Ago at={former.keptUntil} /> }))}
    </Note>
  )

/** What would be lost with the server's node. */
const IfLost = ({ standing: { safeAt }, server: { nodeName: node } }: StandingProps) =>
  safeAt === null
    ? t.nothingSafe({ node })
    : rich(t.safeSince({ node, when: () => <At at={safeAt} /> }))

function placeAway({ place, keptOnNode: other }: StandingProps['standing'], node: string): string {
  if (other !== null) return t.keptOnOther({ node, other })
  return place === 's3' ? t.keptAway({ node }) : t.keptNowhere({ node })
}

/** Where the backups are stored, and which are deleted automatically. */
export const Keeping = ({ standing, server }: StandingProps) => (
  <Text small muted>
    <IfLost standing={standing} server={server} />{' '}
    {standing.place === 'node'
      ? t.keptOnNode({ node: server.nodeName })
      : placeAway(standing, server.nodeName)}{' '}
    {t.rotation({ count: standing.keepScheduled })}
    {standing.ignored.patterns.length > 0 ? (
      <> {t.leftOut({ patterns: standing.ignored.patterns.join(', ') })}</>
    ) : null}
    {server.kind === 'vm' ? <> {t.disksNotFiles}</> : null}
  </Text>
)
