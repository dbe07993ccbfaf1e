import type { PlannedServer } from '@lodge/shared/failover.ts'
import { saidReason } from '../../panel/said.ts'
import { useAct } from '../../query.ts'
import { useMissing } from '../../session/session.ts'
import { SelectField } from '../../ui/choices/select-field.tsx'
import { ProblemNote } from '../../ui/notices/problem-note.tsx'
import { Column, Text } from '../../ui/page/layout.tsx'
import { t } from './words.ts'

/** What happens to one server when its node is away: as its node says, or its own choice. */
export function ServerMode({ server, onChosen }: { server: PlannedServer; onChosen: () => void }) {
  const missing = useMissing()('nodes.manage')
  const choose = useAct('PUT /api/servers/{id}/failover', ['GET /api/failover/status'])
  const { guarded, mode, own, whyNotAuto, whyNotStonith, whyPinned } = server.failover
  const choices = [
    { value: 'node', label: t.asNode },
    { value: 'pinned', label: t.pinned },
    ...(whyNotAuto === null || own === 'auto' ? [{ value: 'auto', label: t.auto }] : []),
    ...(whyNotStonith === null || own === 'stonith'
      ? [{ value: 'stonith', label: t.stonith }]
      : []),
  ]
  const standing = () => {
    if (whyPinned !== null) return t.staysPinned({ why: saidReason(whyPinned) })
    if (own === 'auto' && whyNotAuto !== null) return saidReason(whyNotAuto)
    return mode === 'auto' && !guarded ? t.notGuardedYet : null
  }
  const words = standing()
  const set = (next: string) =>
    choose.mutate(
      {
        params: { id: server.serverId },
        body: { mode: next === 'auto' || next === 'pinned' || next === 'stonith' ? next : null },
      },
      { onSuccess: onChosen },
    )
  return (
    <Column gap={2}>
      <SelectField
        bare
        label={t.modeOf({ server: server.serverName })}
        choices={choices}
        value={own ?? 'node'}
        disabled={missing !== undefined || choose.isPending}
        onChange={set}
      />
      {words === null ? null : (
        <Text small muted>
          {words}
        </Text>
      )}
      {choose.error ? <ProblemNote error={choose.error} /> : null}
    </Column>
  )
}
