import type { Schedule } from '@lodge/shared/schedules.ts'
import { saidReason } from '../../panel/said.ts'
import { Pill } from '../../ui/data/status.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { Text } from '../../ui/page/layout.tsx'
import { t } from './words.ts'

/** When a schedule runs next, or why it does not. */
export function NextRun({ schedule }: { schedule: Schedule }) {
  const { nextRunAt, enabled, problem } = schedule
  if (nextRunAt !== null) return <Ago at={nextRunAt} />
  if (problem !== null)
    return (
      <Pill tone="err" title={saidReason(problem)}>
        {t.broken}
      </Pill>
    )
  return <Text muted>{enabled ? t.never : t.whileOff}</Text>
}
