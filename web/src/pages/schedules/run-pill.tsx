import type { ScheduleRun, TaskResult } from '@lodge/shared/schedules.ts'
import type { Tone } from '@lodge/shared/theme/tokens.ts'
import Ban from 'lucide-react/icons/ban'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import CircleMinus from 'lucide-react/icons/circle-minus'
import Clock from 'lucide-react/icons/clock'
import LoaderCircle from 'lucide-react/icons/loader-circle'
import type { ComponentType } from 'react'
import { entryOf } from '../../ui/data/known.ts'
import { Pill } from '../../ui/data/status.tsx'
import { t } from './words.ts'

type State = ScheduleRun['state'] | TaskResult['state']

const LOOKS: Readonly<
  Record<State, { tone: Tone; word: () => string; icon: ComponentType<{ 'aria-hidden': true }> }>
> = {
  waiting: { tone: 'idle', word: () => t.waiting, icon: Clock },
  running: { tone: 'info', word: () => t.running, icon: LoaderCircle },
  done: { tone: 'ok', word: () => t.done, icon: CircleCheck },
  failed: { tone: 'err', word: () => t.failed, icon: CircleAlert },
  cancelled: { tone: 'idle', word: () => t.cancelled, icon: Ban },
  skipped: { tone: 'idle', word: () => t.skipped, icon: CircleMinus },
  missed: { tone: 'warn', word: () => t.missed, icon: CircleAlert },
}

/** The state of a run, or of a task in it. */
export function RunPill({ state, title }: { state: State; title?: string | null }) {
  const {
    tone,
    word,
    icon: Icon,
  } = entryOf(LOOKS, state, (word) => ({
    ...LOOKS.waiting,
    word: () => word,
  }))
  return (
    <Pill
      tone={tone}
      icon={<Icon aria-hidden />}
      spins={state === 'running'}
      {...(title ? { title } : {})}
    >
      {word()}
    </Pill>
  )
}
