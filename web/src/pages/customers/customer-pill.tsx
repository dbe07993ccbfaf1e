import type { Customer } from '@lodge/shared/accounts.ts'
import { toneOf, wordOf } from '../../ui/data/known.ts'
import { Pill } from '../../ui/data/status.tsx'
import { t } from './words.ts'

type State = Customer['state']

const TONES = { active: 'ok', suspended: 'warn', unverified: 'idle', pending: 'info' } as const

const WORDS = {
  active: () => t.active,
  suspended: () => t.suspended,
  unverified: () => t.unverified,
  pending: () => t.pending,
}

/** The word for a state. */
export const stateWord = (state: State): string => wordOf(WORDS, state)

/** Whether a customer may sign in, and if not, why. */
export const CustomerPill = ({ state }: { state: State }) => (
  <Pill tone={toneOf(TONES, state)}>{stateWord(state)}</Pill>
)
