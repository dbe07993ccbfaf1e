import type { Fencing } from '@lodge/shared/failover.ts'
import type { Node } from '@lodge/shared/nodes.ts'
import { saidReason, why } from '../../panel/said.ts'
import { useAct } from '../../query.ts'
import { useMissing } from '../../session/session.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Ago, At } from '../../ui/data/time.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { ProblemNote } from '../../ui/notices/problem-note.tsx'
import { Column } from '../../ui/page/layout.tsx'
import { rich } from '../../ui/page/rich.ts'
import { t } from './words.ts'

/** The result of switching the node off since it fell silent. */
export function FencingNote({ fencing }: { fencing: Fencing }) {
  const { askedAt, failed, offAt, tryAt } = fencing
  if (tryAt === null)
    return (
      <Note tone="warn" title={t.isOff}>
        {rich(t.isOffText({ when: () => <At at={offAt ?? askedAt} /> }))}
      </Note>
    )
  if (failed === null)
    return (
      <Note tone="warn" title={t.switchingOff}>
        {rich(t.switchingOffText({ when: () => <At at={askedAt} /> }))}
      </Note>
    )
  return (
    <Note tone="err" title={t.notOff}>
      {rich(t.notOffText({ why: saidReason(failed), when: () => <Ago at={tryAt} /> }))}
    </Note>
  )
}

/** Runs the fence command to see whether the node is on; switches nothing. */
export function PowerTest({ node }: { node: Node }) {
  const missing = useMissing()('nodes.manage')
  const ask = useAct('POST /api/nodes/{id}/failover/power')
  const { data } = ask
  const words = { on: t.powerOn, off: t.powerOff, unknown: t.powerUnknown }
  return (
    <Column gap={8}>
      <span>
        <Button
          size="small"
          busy={ask.isPending}
          disabledBecause={missing}
          onClick={() => ask.mutate({ params: { id: node.id } })}
        >
          {t.askPower}
        </Button>
      </span>
      {data ? (
        <Note tone={data.power === 'on' ? 'ok' : 'warn'} title={words[data.power]} role="status">
          {why(data.why) ?? t.nothingSwitched}
        </Note>
      ) : null}
      {ask.error ? <ProblemNote error={ask.error} /> : null}
    </Column>
  )
}
