import type { Customer } from '@lodge/shared/accounts.ts'
import { Pill } from '../../ui/data/status.tsx'
import { t } from './words.ts'

type State = Customer['state']

const TONES = { active: 'ok', suspended: 'warn', unverified: 'idle', pending: 'info' } as const

/** What people read for a state. */
export const stateWord = (state: State): string =>
  ({
    active: t.active,
    suspended: t.suspended,
    unverified: t.unverified,
    pending: t.pending,
  })[state]

/** Whether a customer may sign in, and if not, why. */
export const CustomerPill = ({ state }: { state: State }) => (
  <Pill tone={TONES[state]}>{stateWord(state)}</Pill>
)
