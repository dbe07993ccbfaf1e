import { isMachine } from '@lodge/shared/machine-spec.ts'
import type { ReconciledServer } from '../reconcile/reconciled-server.ts'

/**
 * Whether what is typed has to be put into the output, so that everybody sees what an answer belongs to:
 * programs without a terminal do not repeat what they read. Nothing is put there while nothing reads.
 */
export function showsCommands({
  facts,
  desired,
}: Pick<ReconciledServer, 'facts' | 'desired'>): boolean {
  const spec = desired?.spec
  return facts.running && spec !== undefined && spec !== null && !isMachine(spec) && !spec.tty
}
