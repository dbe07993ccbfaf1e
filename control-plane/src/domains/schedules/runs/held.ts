import type { HoldKind } from '@lodge/shared/servers.ts'

/**
 * Why a server does nothing by itself now. Other holds end soon: what a task does waits for them or
 * says why it cannot.
 */
export function whyHeld(holds: readonly HoldKind[]): string | undefined {
  if (holds.includes('suspension')) return 'The server is suspended'
  if (holds.includes('deletion')) return 'The server is going to be deleted'
  if (holds.includes('deleting')) return 'The server is being deleted'
  return undefined
}
