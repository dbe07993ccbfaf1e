import { isMachine } from '@lodge/shared/machine-spec.ts'
import type { ReconciledServer } from '../reconcile/state/reconciled-server.ts'

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

const DIM = '\u001b[90m'
const PLAIN = '\u001b[0m'
const MOST_OF_A_NAME = 80

/** A command in the output, with who sent it where that is known; a name cannot control the terminal. */
export function echoOf(line: string, person: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  const name = person.replace(/[\u0000-\u001f\u007f-\u009f]/g, '').slice(0, MOST_OF_A_NAME)
  return `> ${line}${name === '' ? '' : `  ${DIM}${name}${PLAIN}`}\r\n`
}
