import type { IncidentState, ShownState } from '@lodge/shared/status.ts'
import type { Tone } from '@lodge/shared/theme/tokens.ts'
import { toneOf } from '../../ui/data/known.ts'
import { Pill } from '../../ui/data/status.tsx'
import { t } from './words.ts'

const HEALTH_TONES: Readonly<Record<ShownState, Tone>> = {
  operational: 'ok',
  degraded: 'warn',
  partial: 'warn',
  outage: 'err',
  maintenance: 'info',
  unknown: 'idle',
}
const STATE_TONES: Readonly<Record<IncidentState, Tone>> = {
  investigating: 'err',
  identified: 'warn',
  monitoring: 'info',
  resolved: 'ok',
  scheduled: 'idle',
  in_progress: 'info',
  completed: 'ok',
  cancelled: 'idle',
}

export const HealthPill = ({ state }: { state: ShownState }) => (
  <Pill tone={toneOf(HEALTH_TONES, state)}>{t.healthOf({ state })}</Pill>
)
export const StatePill = ({ state }: { state: IncidentState }) => (
  <Pill tone={toneOf(STATE_TONES, state)}>{t.stateOf({ state })}</Pill>
)
