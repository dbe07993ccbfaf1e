import type { TicketSummary } from '@lodge/shared/support/tickets.ts'
import Timer from 'lucide-react/icons/timer'
import TimerOff from 'lucide-react/icons/timer-off'
import { Pill } from '../../../ui/data/status.tsx'
import { useNow } from '../../../ui/data/time.tsx'
import { duration } from '../../../ui/data/time-words.ts'
import { timestampText } from '../../../ui/locale/timestamps.ts'
import { t } from './words.ts'

type Goals = NonNullable<TicketSummary['staff']>['sla']

const SOON_MS = 30 * 60_000

/** The goal that ends next, among those that are not met. */
function nextOf({ first, next, resolution }: Goals) {
  const [soonest] = [
    { kind: 'first', ...first },
    { kind: 'next', ...next },
    { kind: 'resolution', ...resolution },
  ]
    .flatMap(({ kind, targetAt, metAt }) =>
      targetAt === null || metAt !== null ? [] : [{ kind, at: Date.parse(targetAt) }],
    )
    .sort((one, other) => one.at - other.at)
  return soonest
}

/** The time left until the next goal is missed, or that one is. */
export function NextGoal({ sla }: { sla: Goals }) {
  const now = useNow()
  const goal = nextOf(sla)
  if (!goal) return null
  const left = goal.at - now
  const title = t.goal({ goal: goal.kind, when: timestampText(new Date(goal.at)) })
  if (left <= 0)
    return (
      <Pill tone="err" icon={<TimerOff aria-hidden />} title={title}>
        {t.late({ time: duration(-left) })}
      </Pill>
    )
  return (
    <Pill tone={left < SOON_MS ? 'warn' : 'idle'} icon={<Timer aria-hidden />} title={title}>
      {duration(left)}
    </Pill>
  )
}
