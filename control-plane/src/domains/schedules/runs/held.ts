import type { HoldKind } from '@lodge/shared/servers.ts'

/**
 * Why a server runs no schedules now. Other holds end soon: tasks wait for them or report why they
 * cannot run.
 */
export function whyHeld(holds: readonly HoldKind[]): string | undefined {
  if (holds.includes('suspension')) return 'The server is suspended'
  if (holds.includes('deletion')) return 'The server is going to be deleted'
  if (holds.includes('deleting')) return 'The server is being deleted'
  return undefined
}
