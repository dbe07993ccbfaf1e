import { Link } from '@tanstack/react-router'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import type { Reply } from '../../api.ts'
import { saidReason } from '../../panel/said.ts'
import { paths } from '../../paths.ts'
import { Pill } from '../../ui/data/status.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Column as Stack, Text } from '../../ui/page/layout.tsx'
import { rich } from '../../ui/page/rich.ts'
import { t } from './words.ts'

type Copy = Reply<'GET /api/failover/status'>['copies'][number]

const columns = (): readonly Column<Copy>[] => [
  {
    header: t.server,
    role: 'title',
    cell: ({ serverId, serverName }) => (
      <Link to={paths.server} params={{ id: serverId }}>
        {serverName}
      </Link>
    ),
  },
  { header: t.onNode, cell: ({ nodeName }) => nodeName },
  {
    header: t.copyState,
    cell: (copy) => <CopyState copy={copy} />,
  },
]

/** What its node has done with it so far, or why that failed. */
function CopyState({ copy: { partial, stoppedAt, failed } }: { copy: Copy }) {
  if (failed) {
    const runs = !partial && stoppedAt === null
    return (
      <Stack gap={2}>
        <span>
          <Pill tone="err" icon={<TriangleAlert aria-hidden />}>
            {runs ? t.copyNotStopped : t.copyNotDeleted}
          </Pill>
        </span>
        <Text small>{saidReason(failed.detail)}.</Text>
        <Text small muted>
          {rich(t.copyTried({ tries: failed.tries, when: () => <Ago at={failed.tryAt} /> }))}
        </Text>
      </Stack>
    )
  }
  if (partial) return t.copyPartial
  if (stoppedAt === null) return t.copyWaits
  // A single element, because a card on a phone would take three for three parts.
  return <span>{rich(t.copyStopped({ when: () => <Ago at={stoppedAt} /> }))}</span>
}

/** What lost nodes still have of servers that are elsewhere. */
export function CopiesCard({ copies }: { copies: readonly Copy[] }) {
  return (
    <Stack gap={10}>
      <Card title={t.copies} flush>
        <Table
          label={t.copies}
          rows={copies}
          columns={columns()}
          keyOf={({ serverId, nodeId }) => `${serverId} ${nodeId}`}
          empty={null}
        />
      </Card>
      <Text small muted>
        {t.copiesText}
      </Text>
    </Stack>
  )
}
