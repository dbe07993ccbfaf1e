import type { NodeFailover } from '@lodge/shared/failover.ts'
import type { Node } from '@lodge/shared/nodes.ts'
import { useQuery } from '@tanstack/react-query'
import { saidReason } from '../../panel/said.ts'
import { q, useAct } from '../../query.ts'
import { useMissing } from '../../session/session.ts'
import { SelectField } from '../../ui/choices/select-field.tsx'
import { wordOf } from '../../ui/data/known.ts'
import { Ago, At, useNow } from '../../ui/data/time.tsx'
import { duration } from '../../ui/data/time-words.ts'
import { Note } from '../../ui/notices/note.tsx'
import { ProblemNote } from '../../ui/notices/problem-note.tsx'
import { Card, Facts } from '../../ui/page/card.tsx'
import { Column, Text } from '../../ui/page/layout.tsx'
import { rich } from '../../ui/page/rich.ts'
import { FencingNote, PowerTest } from './fencing.tsx'
import { t } from './words.ts'

const EVERY_MS = 15_000
const MODES = ['pinned', 'auto', 'stonith'] as const

/** What happens to the servers of a node when it is cut off, and how to change that. */
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
  const { auto, fencedAt, fencing, guarded, mode, since, stonith, takeoverAt, unguarded } = data
  const whyNot = reasons(data, node)
  const choices = MODES.filter((one) => one === mode || whyNot[one] === null)
  // Reasons against the current mode are shown elsewhere.
  const against = MODES.flatMap((one) => (one === mode ? [] : (whyNot[one] ?? [])))
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
            {(guarded > 0 ? t.takeoverIn : t.switchOffIn)({
              duration: duration(Date.parse(takeoverAt) - now),
            })}
          </Note>
        )}
        {fencing === null ? null : <FencingNote fencing={fencing} />}
        {mode === 'auto' && data.whyNotAuto !== null ? (
          <Note tone="warn" title={t.notGuarded}>
            {saidReason(data.whyNotAuto)}.
          </Note>
        ) : null}
        {unguarded === null || (mode === 'auto' && data.whyNotAuto !== null) ? null : (
          <Note tone="warn" title={t.machinesWait({ count: unguarded.machines })}>
            {saidReason(unguarded.why)}.
          </Note>
        )}
        <SelectField
          label={t.failoverMode}
          description={modeText(data)}
          choices={choices.map((value) => ({ value, label: wordOf(MODE_WORDS, value) }))}
          value={mode}
          disabled={missing !== undefined || choose.isPending}
          onChange={(next) => {
            if (next !== mode) choose.mutate({ params, body: { mode: next } })
          }}
        />
        {[...(missing === undefined ? [] : [missing]), ...against].map((reason) => (
          <Text key={reason} small muted>
            {saidReason(reason)}
          </Text>
        ))}
        {choose.error ? <ProblemNote error={choose.error} /> : null}
        {auto + stonith === 0 ? null : (
          <Facts
            rows={[
              ...(auto === 0 ? [] : [[t.guarded, t.guardedOf({ guarded, auto })] as const]),
              ...(stonith === 0 ? [] : [[t.waitsForOff, t.waitingServers({ stonith })] as const]),
              ...(since === null ? [] : [[t.chosen, <Ago key="since" at={since} />] as const]),
            ]}
          />
        )}
        {mode === 'auto' ? (
          <Text small muted>
            {t.failoverCost}
          </Text>
        ) : null}
        {data.whyNotStonith === null ? <PowerTest node={node} /> : null}
      </Column>
    </Card>
  )
}

const MODE_WORDS = {
  pinned: () => t.waitsForPerson,
  auto: () => t.failsOver,
  stonith: () => t.failsOverOff,
} as const

const modeText = ({ mode, takeoverAfterSeconds }: NodeFailover): string => {
  const after = { duration: duration(takeoverAfterSeconds * 1_000) }
  if (mode === 'auto') return t.failsOverText(after)
  return mode === 'stonith' ? t.failsOverOffText(after) : t.waitsText
}

/** Why a mode cannot be chosen now; null if it can. Going back is always possible. */
function reasons({ whyNotAuto, whyNotStonith }: NodeFailover, { name, state }: Node) {
  const offline = state === 'offline' ? t.notConnected({ node: name }) : null
  return { pinned: null, auto: whyNotAuto ?? offline, stonith: whyNotStonith }
}
