import { isMachine } from '@lodge/shared/machine-spec.ts'
import type { KeptServer } from '../reconcile/kept-server.ts'

/**
 * Whether what is typed has to be put into the output, so that everybody sees what an answer belongs to:
 * programs without a terminal do not repeat what they read. Nothing is put there while nothing reads.
 */
export function showsCommands({ facts, wish }: Pick<KeptServer, 'facts' | 'wish'>): boolean {
  const spec = wish?.spec
  return facts.running && spec !== undefined && spec !== null && !isMachine(spec) && !spec.tty
}
