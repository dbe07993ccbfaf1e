import type { Customer } from '@lodge/shared/accounts.ts'
import { Pill } from '../../ui/data/status.tsx'

const STATES = {
  active: ['ok', 'Active'],
  suspended: ['warn', 'Suspended'],
  unverified: ['idle', 'Not confirmed'],
  pending: ['info', 'Waiting for approval'],
} as const

/** Whether a customer may sign in, and if not, why. */
export function CustomerPill({ state }: Pick<Customer, 'state'>) {
  const [tone, word] = STATES[state]
  return <Pill tone={tone}>{word}</Pill>
}
