import type { Tone } from '@lodge/shared/theme/tokens.ts'
import type { UsageStanding } from '@lodge/shared/usage-reports.ts'
import { t } from './words.ts'

/** Look of each state. */
export const STATES: Readonly<
  Record<UsageStanding['state'], { readonly tone: Tone; readonly label: () => string }>
> = {
  off: { tone: 'idle', label: () => t.stateOff },
  consented: { tone: 'pend', label: () => t.stateConsented },
  connecting: { tone: 'pend', label: () => t.stateConnecting },
  connected: { tone: 'ok', label: () => t.stateConnected },
  error: { tone: 'warn', label: () => t.stateError },
  revoked: { tone: 'err', label: () => t.stateRevoked },
}
