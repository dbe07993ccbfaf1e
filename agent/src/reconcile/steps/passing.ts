import { DriverError, type DriverErrorCode } from '@lodge/driver/driver.ts'
import type { ReconciledServer } from '../state/reconciled-server.ts'

/** A permit may expire while the runtime is slow; the next attempt gets a new one. */
const PASSING: readonly DriverErrorCode[] = [
  'runtime_unavailable',
  'storage_away',
  'not_permitted',
  'not_stopped',
]
/** After this many attempts the failure is reported, although attempts continue. */
const TRIES_BEFORE_FAILURE = 5

/** Whether what failed is tried again, because the reason may pass by itself. */
export const isPassing = (error: unknown): error is DriverError =>
  error instanceof DriverError && PASSING.includes(error.code)

/**
 * Whether a start failed because another server of this node still has its port, as one does that belongs
 * elsewhere by now and is being stopped, or had it a moment ago. What a foreign program has is reported
 * at once.
 */
export function waitsForPort(
  { around, serverId, retries }: ReconciledServer,
  error: unknown,
): error is DriverError {
  if (!(error instanceof DriverError) || error.code !== 'port_in_use') return false
  const hasJustRetried = retries > 0 && retries < TRIES_BEFORE_FAILURE
  return hasJustRetried || around.sharesPort(serverId)
}

/** Reports a failure that may pass as the outcome for now, once it has lasted. */
export function reportIfLasting(reconciler: ReconciledServer, error: DriverError): void {
  // A storage that is not mounted may need a person.
  if (reconciler.retries < TRIES_BEFORE_FAILURE && error.code !== 'storage_away') return
  const { code, message: detail, retryable } = error
  reconciler.memory.failure = { code, detail, retryable }
  reconciler.settle()
}
