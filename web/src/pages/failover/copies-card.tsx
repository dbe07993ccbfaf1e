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

/** That its node could not do what it has to, and why. */
export function CopyFailed(props: {
  what: string
  failed: NonNullable<Copy['failed']>
  /** It is tried again as well when its agent connects. */
  whenBack?: true
}) {
  const { detail, tries, tryAt } = props.failed
  const tried = props.whenBack ? t.copyTried : t.storageCopyTried
  return (
    <Stack gap={2}>
      <span>
        <Pill tone="err" icon={<TriangleAlert aria-hidden />}>
          {props.what}
        </Pill>
      </span>
      <Text small>{saidReason(detail)}.</Text>
      <Text small muted>
        {rich(tried({ tries, when: () => <Ago at={tryAt} /> }))}
      </Text>
    </Stack>
  )
}

/** What its node has done with it so far, or why that failed. */
function CopyState({ copy: { partial, stoppedAt, failed } }: { copy: Copy }) {
  if (failed) {
    const runs = !partial && stoppedAt === null
    return <CopyFailed what={runs ? t.copyNotStopped : t.copyNotDeleted} failed={failed} whenBack />
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
