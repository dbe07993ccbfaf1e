import type { FailoverRun } from '@lodge/shared/failover.ts'
import { Link } from '@tanstack/react-router'
import { saidReason } from '../../panel/said.ts'
import { paths } from '../../paths.ts'
import { Pill } from '../../ui/data/status.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Column as Stack, Text } from '../../ui/page/layout.tsx'
import { rich } from '../../ui/page/rich.ts'
import { t } from './words.ts'

type RunServer = FailoverRun['servers'][number]

function Result({ server: { state, jobId } }: { server: RunServer }) {
  if (state === 'restored') return <Pill tone="ok">{t.restored}</Pill>
  if (state === 'failed') return <Pill tone="err">{t.failed}</Pill>
  return jobId === null ? (
    <Pill tone="idle">{t.waiting}</Pill>
  ) : (
    <Pill tone="pend">{t.restoring}</Pill>
  )
}

const columns = (): readonly Column<RunServer>[] => [
  {
    header: t.server,
    role: 'title',
    cell: ({ serverId, serverName }) => (
      <Link to={paths.server} params={{ id: serverId }}>
        {serverName}
      </Link>
    ),
  },
  { header: t.target, cell: ({ target }) => target },
  {
    header: t.files,
    cell: ({ backupAt }) => (backupAt === null ? t.whole : <Ago at={backupAt} />),
  },
  {
    header: t.result,
    cell: (server) => (
      <Stack gap={2}>
        <span>
          <Result server={server} />
        </span>
        {server.detail === null ? null : (
          <Text small muted>
            {saidReason(server.detail)}
          </Text>
        )}
      </Stack>
    ),
  },
]

/** One failover: a row for each server, with its result. */
export function RunCard({ run }: { run: FailoverRun }) {
  const { automatic, servers, startedAt, startedBy, nodeName } = run
  const done = servers.filter(({ state }) => state === 'restored').length
  const standing = { when: () => <Ago at={startedAt} />, done, total: servers.length }
  return (
    <Stack gap={10}>
      {servers.length === 0 ? null : (
        <Card title={t.run({ node: nodeName })} flush>
          <Table
            label={t.run({ node: nodeName })}
            rows={servers}
            columns={columns()}
            keyOf={({ serverId }) => serverId}
            empty={null}
          />
        </Card>
      )}
      <Text small muted>
        {rich(
          automatic
            ? t.runTakenOver(standing)
            : startedBy === null
              ? t.runStanding(standing)
              : t.runBy({ ...standing, by: startedBy }),
        )}
      </Text>
    </Stack>
  )
}
