/** What a suspended account may still use, besides seeing its suspension and appealing. */
export interface Restriction {
  /** Whether it is signed in at all; otherwise it sees nothing but the suspension. */
  readonly signIn: boolean
  /** Whether it may open a session to see the suspension, if not signed in. */
  readonly notice: boolean
  readonly tickets: boolean
  /** Read its own servers' files and backups. */
  readonly dataExport: boolean
}

/** An account that was suspended without saying what it may still use. */
export const NOTHING_BUT_NOTICE: Restriction = {
  signIn: true,
  notice: true,
  tickets: false,
  dataExport: false,
}

/**
 * Who among suspended accounts may call an endpoint: `always` all of them, `signed-in` those who may
 * sign in, the others those who may do that.
 */
export type OpenToSuspended = 'always' | 'signed-in' | 'tickets' | 'data-export'

export const isOpenToSuspended = (
  open: OpenToSuspended | undefined,
  { signIn, tickets, dataExport }: Restriction,
): boolean => {
  if (open === undefined) return false
  if (open === 'always') return true
  if (!signIn) return false
  if (open === 'signed-in') return true
  return open === 'tickets' ? tickets : dataExport
}
