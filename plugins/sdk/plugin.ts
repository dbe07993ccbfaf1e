import path from 'node:path'
import { createPlugin, templateKinds } from './create.ts'
import { packFolder } from './pack.ts'

// npm run plugin -- create <kind> <id>
// npm run plugin -- pack <folder> [--key <file>] [--out <file>]

const say = (text: string): void => void process.stdout.write(`${text}\n`)

function create([kind, id]: readonly string[]): void {
  if (kind === undefined || id === undefined)
    throw new Error(`npm run plugin -- create <${templateKinds().join('|')}> <id>`)
  const folder = path.relative('', createPlugin(kind, id))
  say(`Made ${folder}. Change lodge-plugin.json and main.ts in it, then:`)
  say(`  npm test -- ${folder}`)
  say(`  npm run plugin -- pack ${folder} --key ${id}.pem`)
}

const [task, ...given] = process.argv.slice(2)
try {
  if (task === 'create') create(given)
  else if (task === 'pack') packFolder(given)
  else throw new Error('npm run plugin -- create <kind> <id>, or npm run plugin -- pack <folder>')
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 2
}
