import { isMachine } from '@lodge/shared/machine-spec.ts'
import type { ReconciledServer } from '../reconcile/reconciled-server.ts'

/**
 * Whether to echo commands into the output, so that every reader sees what an answer belongs to:
 * programs without a terminal do not echo their input. A server that is not running gets no echo.
 */
export function showsCommands({
  facts,
  desired,
}: Pick<ReconciledServer, 'facts' | 'desired'>): boolean {
  const spec = desired?.spec
  return facts.running && spec !== undefined && spec !== null && !isMachine(spec) && !spec.tty
}
