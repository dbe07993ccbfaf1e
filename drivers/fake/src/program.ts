import { isMachine, type WorkloadSpec } from '@lodge/shared/machine-spec.ts'

/** What a fake workload or installer does. A spec selects one with the command `fake` and JSON. */
export type FakeProgram =
  | { readonly kind: 'run' | 'echo' | 'deaf' | 'grow' }
  | { readonly kind: 'exit'; readonly code: number }
  | { readonly kind: 'print'; readonly lines: number }
  | { readonly kind: 'environment'; readonly variable: string }
  | { readonly kind: 'store'; readonly bytes: number }

/** The program of a server; a machine simply runs. */
export const programOf = (spec: WorkloadSpec): FakeProgram | null =>
  isMachine(spec) ? null : programNamed(spec.command)

/** The program that `command` selects; null for any other command, which simply runs. */
export function programNamed(command: readonly string[]): FakeProgram | null {
  const [name, text = ''] = command
  return name === 'fake' ? JSON.parse(text) : null
}
