import type { Node } from '@lodge/shared/nodes.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { saidReason } from '../../panel/said.ts'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { formatBytes } from '../../ui/data/numbers.ts'
import { Ago } from '../../ui/data/time.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { Card, Facts } from '../../ui/page/card.tsx'
import { Column, Text } from '../../ui/page/layout.tsx'
import { rich } from '../../ui/page/rich.ts'
import { t } from './words.ts'

const SHOWN = 5

/** What the servers of a node would lose with it, and how the host protects them. */
export function LossCard({ node }: { node: Node }) {
  const { data } = useQuery(q('GET /api/nodes/{id}/backups', { params: { id: node.id } }))
  if (!data) return null
  const { servers, byHost, protection, whyNot } = data
  const { total, without, oldestAt, items } = servers
  return (
    <Card title={t.ifLost}>
      <Column>
        {whyNot === null ? null : (
          <Note tone="warn" title={t.notProtectedNow}>
            {saidReason(whyNot)}
          </Note>
        )}
        <Text>
          {total === 0
            ? t.nothingToLose
            : without > 0
              ? t.lostWholly({ count: without, total })
              : oldestAt === null
                ? null
                : rich(t.lostSince({ when: () => <Ago at={oldestAt} /> }))}
        </Text>
        {items.length === 0 ? null : (
          <Facts
            rows={items.slice(0, SHOWN).map(({ id, name, safeAt }) => [
              name,
              <Link key={id} to={paths.serverBackups} params={{ id }}>
                {safeAt === null ? t.nothingElsewhere : <Ago at={safeAt} />}
              </Link>,
            ])}
          />
        )}
        {total > SHOWN ? (
          <Text small muted>
            {t.moreLess({ count: total - SHOWN })}
          </Text>
        ) : null}
        <Text small muted>
          {protection === null
            ? rich(
                t.notProtected({
                  settings: (text) => <Link to={paths.settingsBackups}>{text}</Link>,
                }),
              )
            : t.protectedEvery({
                hours: protection.everyHours,
                keep: protection.keep,
                count: byHost.backups,
                size: formatBytes(byHost.storedBytes),
              })}
        </Text>
      </Column>
    </Card>
  )
}
