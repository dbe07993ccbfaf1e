import type { TemplateDocumentInput } from '../document.ts'

export type BuiltInInput = TemplateDocumentInput & { readonly uuid: string }
type Runtime = TemplateDocumentInput['runtime']

export const DATA = '/data'

/** An image built from Debian 12 packages. */
export const debian = (...packages: string[]): Runtime['images'][number]['source'] => ({
  kind: 'debian',
  suite: 'bookworm',
  packages,
})

/** An install script for Debian's plain shell, with the packages it needs. */
export const shellInstall = (
  packages: readonly string[],
  script: string,
): NonNullable<Runtime['install']> => ({
  image: debian(...packages),
  interpreter: ['/bin/sh'],
  script: `#!/bin/sh\nset -eu\ncd /mnt/server\n${script.trim()}\n`,
})

export const signalled = (
  signal: 'SIGINT' | 'SIGTERM' | 'SIGQUIT',
  timeoutSeconds = 60,
): Runtime['stop'] => [{ kind: 'signal', signal, timeoutSeconds }]

/** A console command, then SIGTERM. */
export const commanded = (text: string, timeoutSeconds = 120): Runtime['stop'] => [
  { kind: 'command', text, timeoutSeconds },
  { kind: 'signal', signal: 'SIGTERM', timeoutSeconds: 30 },
]

/** A command that the console offers. */
export const command = (command: string, description: string) => ({ command, description })

export const printed = (...values: string[]): Runtime['proofOfLife'] => ({
  patterns: values.map((value) => ({ kind: 'text', value })),
})

/** One line of text without quotes and backslashes. */
export const plainLine = (max: number) => [
  { rule: 'max' as const, value: max },
  { rule: 'not_regex' as const, pattern: '["\\\\\\r\\n]', flags: '' },
]
