import type { Node } from '@lodge/shared/nodes.ts'
import { useQuery } from '@tanstack/react-query'
import { q, useAct } from '../../query.ts'
import { useMissing } from '../../session/session.ts'
import { SwitchField } from '../../ui/choices/switch-field.tsx'
import { Ago, At, useNow } from '../../ui/data/time.tsx'
import { duration } from '../../ui/data/time-words.ts'
import { Note } from '../../ui/notices/note.tsx'
import { ProblemNote } from '../../ui/notices/problem-note.tsx'
import { Card, Facts } from '../../ui/page/card.tsx'
import { Column, Text } from '../../ui/page/layout.tsx'
import { rich } from '../../ui/page/rich.ts'
import { t } from './words.ts'

const EVERY_MS = 15_000

/** What happens to the servers of a node when it is cut off, and the choice of it. */
export function FailoverCard({ node }: { node: Node }) {
  const now = useNow(1_000)
  const missing = useMissing()('nodes.manage')
  const params = { id: node.id }
  const { data } = useQuery({
    ...q('GET /api/nodes/{id}/failover', { params }),
    refetchInterval: EVERY_MS,
  })
  const choose = useAct('PUT /api/nodes/{id}/failover', [
    'GET /api/nodes/{id}/failover',
    'GET /api/failover/status',
  ])
  if (!data) return null
  const { auto, fencedAt, guarded, mode, since, takeoverAfterSeconds, takeoverAt } = data
  const isAuto = mode === 'auto'
  const offline = node.state === 'offline' ? t.notConnected({ node: node.name }) : undefined
  // Going back is always possible.
  const why = missing ?? (isAuto ? undefined : (data.whyNotAuto ?? offline))
  return (
    <Card title={t.failover}>
      <Column gap={14}>
        {fencedAt === null ? null : (
          <Note tone="warn" title={t.takenOver}>
            {rich(t.takenOverText({ when: () => <At at={fencedAt} /> }))}
          </Note>
        )}
        {takeoverAt === null ? null : (
          <Note tone="warn" title={t.silent}>
            {t.takeoverIn({ duration: duration(Date.parse(takeoverAt) - now) })}
          </Note>
        )}
        {isAuto && data.whyNotAuto !== null ? (
          <Note tone="warn" title={t.notGuarded}>
            {data.whyNotAuto}
          </Note>
        ) : null}
        <SwitchField
          label={t.failsOver}
          description={why ?? t.failsOverText({ duration: duration(takeoverAfterSeconds * 1_000) })}
          value={isAuto}
          disabled={why !== undefined || choose.isPending}
          onChange={(next) => choose.mutate({ params, body: { mode: next ? 'auto' : 'pinned' } })}
        />
        {choose.error ? <ProblemNote error={choose.error} /> : null}
        {auto === 0 ? null : (
          <Facts
            rows={[
              [t.guarded, t.guardedOf({ guarded, auto })],
              ...(since === null ? [] : [[t.chosen, <Ago key="since" at={since} />] as const]),
            ]}
          />
        )}
        {isAuto ? (
          <Text small muted>
            {t.failoverCost}
          </Text>
        ) : null}
      </Column>
    </Card>
  )
}
