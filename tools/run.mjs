// Entry point of every npm script: node tools/run.mjs <task>. Runs on any Node >= 20, installs what
// package-lock.json lists, then runs the task on Node 24.
import './follow-parent.mjs'
import { ensurePackages, needs } from './debian.mjs'
import { ensureInstalled } from './install.mjs'
import { at, giveUp } from './place.mjs'
import { becomeNode } from './run-program.mjs'

const tasks = {
  /** The panel, its database, a Docker engine and an agent for this machine. */
  start: { program: [at('tools/start.mjs')], system: needs.start },
  /** Only an agent, on a node: `npm run agent -- join <line>`, then `npm run agent -- run`. */
  agent: { program: [at('agent/src/main.ts')], system: needs.agent },
  /** The panel's own backup: `npm run backup`, `npm run restore -- --from <place>`. */
  backup: { program: [at('control-plane/src/lodge.ts'), 'backup'], system: needs.backup },
  restore: { program: [at('control-plane/src/lodge.ts'), 'restore'], system: needs.backup },
  /** Customers, plans and subscriptions of another panel: `npm run import -- --from whmcs <dump>`. */
  import: { program: [at('control-plane/src/lodge.ts'), 'import'], system: [] },
  /** Lets in who has lost every second factor, or the password: `npm run reset-second-factor -- ada@example.com`. */
  'reset-second-factor': {
    program: [at('control-plane/src/lodge.ts'), 'reset-second-factor'],
    system: [],
  },
  'reset-password': { program: [at('control-plane/src/lodge.ts'), 'reset-password'], system: [] },
  /** All tests and checks, or the files named after `--`. */
  test: { program: [at('tools/test.mjs')], system: needs.test },
  /** The files with long tests, at full length (test/run/lengths.ts): some 100 minutes. */
  'test:long': {
    program: [at('tools/test.mjs')],
    system: needs.test,
    env: { LODGE_TEST_LENGTH: 'long' },
  },
  /** Removes what `npm start` created on this machine; with `-- --data` the data as well. */
  uninstall: { program: [at('tools/uninstall.mjs')], system: [] },
  /** Begins a plugin, and packs it: `npm run plugin -- create event my-events`. */
  plugin: { program: [at('plugins/sdk/plugin.ts')], system: [] },
  check: { program: [at('tools/check.mjs')], system: [] },
  build: { program: [at('tools/build.mjs')], system: [] },
  gen: { program: [at('tools/gen.mjs')], system: [] },
  bench: { program: [at('bench/src/main.ts')], system: [] },
}

const [name, ...rest] = process.argv.slice(2)
const task = Object.hasOwn(tasks, name ?? '') ? tasks[name] : undefined
if (!task) giveUp(`Unknown task ${name}: one of ${Object.keys(tasks).join(', ')}`, 2)

ensureInstalled()
await ensurePackages(task.system)
becomeNode([...task.program, ...rest], { env: task.env })
