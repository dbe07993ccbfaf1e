// npm run check [name...]: every check that does not run the product.
import { spawnSync } from 'node:child_process'
import { checks } from './checks.mjs'
import { childEnvironment, giveUp, node24, root, say } from './place.mjs'

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !Object.hasOwn(checks, name))
if (unknown.length > 0) giveUp(`Unknown check ${unknown}: one of ${Object.keys(checks)}`, 2)

// Go programs, such as the type checker, spend a third of their work on garbage that this leaves lying.
const env = childEnvironment({ GOGC: '400' })
const failed = []
for (const name of asked.length > 0 ? asked : Object.keys(checks)) {
  const started = Date.now()
  const run = spawnSync(node24(), checks[name], {
    cwd: root,
    env,
    stdio: 'inherit',
  })
  const verdict = run.status === 0 ? 'ok' : 'FAILED'
  say(`${name}: ${verdict} (${((Date.now() - started) / 1000).toFixed(1)} s)`)
  if (run.status !== 0) failed.push(name)
}
if (failed.length > 0) giveUp(`Failed: ${failed.join(', ')}`)
