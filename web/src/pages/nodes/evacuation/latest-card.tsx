import type { EvacuationState } from '@lodge/shared/evacuations.ts'
import type { Tone } from '@lodge/shared/theme/tokens.ts'
import { Link } from '@tanstack/react-router'
import type { Reply } from '../../../api.ts'
import { saidReason } from '../../../panel/said.ts'
import { paths } from '../../../paths.ts'
import { LinkButton } from '../../../ui/buttons/link.tsx'
import { entryOf } from '../../../ui/data/known.ts'
import { Pill } from '../../../ui/data/status.tsx'
import { type Column, Table } from '../../../ui/data/table.tsx'
import { Ago } from '../../../ui/data/time.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { Column as Stack, Text } from '../../../ui/page/layout.tsx'
import { rich } from '../../../ui/page/rich.ts'
import { t } from './words.ts'

type Latest = NonNullable<Reply<'GET /api/nodes/{id}/evacuation'>['latest']>

function Result({ state }: { state: EvacuationState }) {
  const looks: Readonly<Record<EvacuationState, readonly [Tone, string]>> = {
    waiting: ['idle', t.waiting],
    moving: ['pend', t.moving],
    moved: ['ok', t.moved],
    failed: ['err', t.failed],
    blocked: ['warn', t.blocked],
    cancelled: ['idle', t.cancelled],
  }
  const [tone, word] = entryOf(looks, state, (raw) => ['idle', raw] as const)
  return <Pill tone={tone}>{word}</Pill>
}

const columns = (): readonly Column<Latest['items'][number]>[] => [
  {
    header: t.server,
    role: 'title',
    cell: ({ serverId, serverName }) => (
      <Link to={paths.server} params={{ id: serverId }}>
        {serverName}
      </Link>
    ),
  },
  { header: t.newNode, cell: ({ targetName }) => targetName },
  {
    header: t.result,
    cell: ({ state, detail }) => (
      <Stack gap={2}>
        <span>
          <Result state={state} />
        </span>
        {detail === null ? null : (
          <Text small muted>
            {saidReason(detail)}
          </Text>
        )}
      </Stack>
    ),
  },
]

/** One row for each server, with its result. */
export function LatestCard({ latest }: { latest: Latest }) {
  const { items, startedAt } = latest
  const moved = items.filter(({ state }) => state === 'moved').length
  return (
    <Stack gap={10}>
      <Card
        title={t.latest}
        flush
        actions={
          <LinkButton to={paths.jobs} size="small">
            {t.viewJob}
          </LinkButton>
        }
      >
        <Table
          label={t.latestLabel}
          rows={items}
          columns={columns()}
          keyOf={({ serverId }) => serverId}
          empty={null}
        />
      </Card>
      <Text small muted>
        {rich(t.standing({ moved, total: items.length, when: () => <Ago at={startedAt} /> }))}
      </Text>
    </Stack>
  )
}
