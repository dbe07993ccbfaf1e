/** What a made-up workload or installer does. A spec asks for one with the command `fake` and JSON. */
export type FakeProgram =
  | { readonly kind: 'run' | 'echo' | 'deaf' | 'grow' }
  | { readonly kind: 'exit'; readonly code: number }
  | { readonly kind: 'print'; readonly lines: number }
  | { readonly kind: 'environment'; readonly variable: string }
  | { readonly kind: 'store'; readonly bytes: number }

/** The program that `command` asks for; anything else is a server that simply runs. */
export function programOf(command: readonly string[]): FakeProgram | null {
  const [name, text = ''] = command
  return name === 'fake' ? JSON.parse(text) : null
}
