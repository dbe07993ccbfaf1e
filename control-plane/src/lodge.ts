import { parseArgs } from 'node:util'
import { errorCode } from '@lodge/shared/error-code.ts'
import { backUp } from './command/back-up.ts'
import { HELP } from './command/help.ts'
import { importPanel } from './command/import.ts'
import { Usage } from './command/repository.ts'
import { restore } from './command/restore.ts'
import { CopyRefused } from './domains/panel-backups/index.ts'

// The commands of the operator: `npm run backup`, `restore`, `import` and so on, or `bin/lodge backup` of a build.
const commands: Readonly<Record<string, (args: string[]) => Promise<void>>> = {
  backup: backUp,
  restore,
  import: importPanel,
  // They load all domains, which the others do not need.
  'reset-second-factor': async (args) =>
    (await import('./command/reset.ts')).resetSecondFactor(args),
  'reset-password': async (args) => (await import('./command/reset.ts')).resetPassword(args),
}

const [name = 'help', ...args] = process.argv.slice(2)
const command = Object.hasOwn(commands, name) ? commands[name] : undefined
const { values } = parseArgs({
  args,
  strict: false,
  options: { help: { type: 'boolean', short: 'h' } },
})
if (!command || values.help) {
  const known = command || ['help', '--help', '-h'].includes(name)
  process.stdout.write(HELP)
  process.exit(known ? 0 : 2)
}
try {
  await command(args)
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`)
  if (error instanceof CopyRefused && error.cause instanceof Error)
    process.stderr.write(`\n${error.cause.message}\n`)
  const isUsage = error instanceof Usage || errorCode(error)?.startsWith('ERR_PARSE_ARGS')
  process.exit(isUsage ? 2 : 1)
}
process.exit(0)

/** The message of an error. Where every address of a host failed, the first reason stands for all. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return messageOf(error.errors[0])
  return error instanceof Error ? error.message : String(error)
}
