import { useQuery } from '@tanstack/react-query'
import type { Reply } from '../../api.ts'
import { q, useAct } from '../../query.ts'
import { useMissing } from '../../session/session.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { ProblemNote } from '../../ui/notices/problem-note.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Row, Column as Stack, Text } from '../../ui/page/layout.tsx'
import { rich } from '../../ui/page/rich.ts'
import { t } from './words.ts'

type Status = Reply<'GET /api/set-back'>
type Finding = Status['findings'][number]

/** The difference, in a sentence. */
function differs({ kind, knownOn, nodeName, state }: Finding): string {
  if (kind === 'missing') return t.findingMissing
  const runs = state === 'running' || state === 'starting' ? 'yes' : 'no'
  if (kind === 'newer') return t.findingNewer({ runs })
  return knownOn === null || knownOn === nodeName
    ? t.findingUnknown({ runs })
    : t.findingElsewhere({ runs, node: knownOn })
}

const columns = (): readonly Column<Finding>[] => [
  {
    header: t.server,
    role: 'title',
    cell: ({ serverId, serverName }) => serverName ?? serverId,
  },
  { header: t.onNode, cell: ({ nodeName }) => nodeName },
  { header: t.finding, cell: differs },
  { header: t.whichCounts, cell: (finding) => <Decide finding={finding} /> },
]

/** The two choices; for a server that the panel does not have there, only one. */
function Decide({ finding }: { finding: Finding }) {
  const { kind, nodeId, serverId } = finding
  const missing = useMissing()('nodes.manage')
  const decide = useAct('POST /api/set-back/decisions', [
    'GET /api/set-back',
    'GET /api/overview',
    'GET /api/servers',
  ])
  const choose = (keep: 'node' | 'panel') => decide.mutate({ body: { nodeId, serverId, keep } })
  return (
    <Stack gap={6}>
      <Row gap={6}>
        {kind === 'unknown' ? null : (
          <Button
            size="small"
            disabledBecause={missing}
            busy={decide.isPending}
            onClick={() => choose('node')}
          >
            {t.keepNode}
          </Button>
        )}
        <Button
          size="small"
          disabledBecause={missing}
          busy={decide.isPending}
          onClick={() => choose('panel')}
        >
          {kind === 'unknown' ? t.stopThere : t.applyPanel}
        </Button>
      </Row>
      {decide.error ? <ProblemNote error={decide.error} /> : null}
    </Stack>
  )
}

/**
 * What nodes know and the database does not, because it was set back in time; hidden once nothing is
 * left.
 */
export function SetBackCard() {
  const { data } = useQuery({ ...q('GET /api/set-back'), refetchInterval: 5_000 })
  if (!data) return null
  // A single node may know more without a set-back that anybody noticed.
  const { findings, isSafeMode, latest, waitingFor } = data
  if (findings.length === 0 && waitingFor.length === 0 && !isSafeMode) return null
  return (
    <Stack gap={10}>
      <Note tone="err" title={t.setBack}>
        <Stack gap={2}>
          <Text>
            {latest === null
              ? t.setBackUnnoticed
              : rich(t.setBackSince({ when: () => <Ago at={latest.at} /> }))}
          </Text>
          {isSafeMode ? <Text>{t.setBackSafe}</Text> : null}
          {waitingFor.length === 0 ? null : (
            <Text>{t.setBackWaits({ nodes: waitingFor.map(({ name }) => name).join(', ') })}</Text>
          )}
        </Stack>
      </Note>
      {findings.length === 0 ? null : (
        <>
          <Card title={t.findings} flush>
            <Table
              label={t.findings}
              rows={findings}
              columns={columns()}
              keyOf={({ serverId, nodeId }) => `${serverId} ${nodeId}`}
              empty={null}
            />
          </Card>
          <Text small muted>
            {t.findingsText}
          </Text>
        </>
      )}
    </Stack>
  )
}
