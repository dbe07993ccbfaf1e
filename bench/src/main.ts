import { readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import { parseArgs } from 'node:util'
import { type Baseline, missesOf, regressions, renewed } from './measure/baseline.ts'
import { type Figure, tableOf, verdictOf } from './measure/table.ts'
import type { Row } from './row.ts'
import { provision } from './rows/01-provision.ts'
import { burst } from './rows/02-burst.ts'
import { machineStart } from './rows/04-machine-start.ts'
import { place } from './rows/05-place.ts'
import { limitsRace } from './rows/06-limits-race.ts'
import { restList } from './rows/07-rest-list.ts'
import { restMixed } from './rows/08-rest-mixed.ts'
import { login } from './rows/09-login.ts'
import { agents } from './rows/10-agents.ts'
import { reconnect } from './rows/11-reconnect.ts'
import { metrics } from './rows/13-metrics.ts'
import { prom } from './rows/14-prom.ts'
import { consoles } from './rows/15-console.ts'
import { files } from './rows/16-files.ts'
import { backups } from './rows/17-backups.ts'
import { snapshot } from './rows/18-snapshot.ts'
import { failover } from './rows/19-failover.ts'
import { coldstart, footprint } from './rows/20-coldstart.ts'
import { panel } from './rows/22-panel.ts'
import { events } from './rows/23-events.ts'
import { jobs } from './rows/24-jobs.ts'
import { move } from './rows/26-move.ts'
import { manyMachines } from './rows/27-many-machines.ts'
import { signInTells, signUpTells } from './rows/28-tells.ts'
import { ownModules } from './rows/30-own-modules.ts'
import { sftp } from './rows/31-sftp.ts'
import { ticketSearch } from './rows/32-ticket-search.ts'
import { billing } from './rows/33-billing.ts'
import { hostilePlugins } from './rows/34-hostile-plugins.ts'
import { type DatabaseServer, startDatabaseServer } from './stage/database.ts'
import { Ending } from './stage/ending.ts'

/** npm run bench [-- <row numbers>] [--long] [--json file] [--check | --save] */

const rows: readonly Row[] = [
  provision,
  burst,
  machineStart,
  place,
  limitsRace,
  restList,
  restMixed,
  login,
  agents,
  reconnect,
  metrics,
  prom,
  consoles,
  files,
  backups,
  snapshot,
  failover,
  coldstart,
  footprint,
  panel,
  events,
  jobs,
  move,
  manyMachines,
  signInTells,
  signUpTells,
  ownModules,
  sftp,
  ticketSearch,
  billing,
  hostilePlugins,
]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    long: { type: 'boolean', default: false },
    json: { type: 'string' },
    // `check` fails when results are worse than bench/baseline.json; `save` stores the results
    // there.
    check: { type: 'boolean', default: false },
    save: { type: 'boolean', default: false },
  },
})
const wanted = positionals.map(Number)
const unknown = wanted.filter((number) => !rows.some((row) => row.number === number))
if (unknown.length > 0) {
  console.error(`There is no row ${unknown.join(', ')}: ${rows.map((row) => row.number).join(' ')}`)
  process.exit(2)
}
const chosen =
  wanted.length > 0
    ? rows.filter((row) => wanted.includes(row.number))
    : rows.filter((row) => !row.onDemand)

let current: Ending | undefined
let database: DatabaseServer | undefined
let stopping = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    stopping = true
    await current?.run()
    await database?.stop()
    process.exit(1)
  })
}

/** A row that hangs fails, and the others still run. */
function within<T>(seconds: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const late = setTimeout(() => reject(new Error(`not done within ${seconds} s`)), seconds * 1000)
  return Promise.race([work, promise]).finally(() => clearTimeout(late))
}

const figures: Figure[] = []
const failed: string[] = []
const say = (line: string) => console.error(line)
database = await startDatabaseServer()
for (const row of chosen) {
  if (stopping) break
  say(`${row.number} ${row.name}`)
  const started = performance.now()
  const ending = new Ending()
  current = ending
  try {
    const found = await within(
      row.seconds ?? (values.long ? 900 : 300),
      row.run({ database, long: values.long, ending, say: (line) => say(`  ${line}`) }),
    )
    const own = found.map((figure) => ({ row: row.number, ...figure }))
    figures.push(...own)
    say(tableOf(own))
  } catch (error) {
    failed.push(`${row.number} ${row.name}: ${error instanceof Error ? error.stack : error}`)
  } finally {
    await ending.run()
  }
  say(`  ${Math.round((performance.now() - started) / 1000)} s`)
}
if (!stopping) await database.stop()

const baselineFile = new URL('../baseline.json', import.meta.url)
const baseline: Baseline = JSON.parse(readFileSync(baselineFile, 'utf8'))
const worse = values.check ? regressions(figures, baseline) : []
if (values.save) {
  writeFileSync(baselineFile, `${JSON.stringify(renewed(baseline, figures), null, 2)}\n`)
}

console.log(tableOf(figures))
console.log(missesOf(figures))
for (const line of worse) console.log(`worse than before: ${line}`)
for (const line of failed) console.log(`failed: ${line}`)
if (values.json) {
  const machine = { cores: os.cpus().length, load: os.loadavg(), node: process.version }
  const content = {
    at: new Date().toISOString(),
    machine,
    figures: figures.map((figure) => ({ ...figure, verdict: verdictOf(figure) })),
    failed,
  }
  writeFileSync(values.json, `${JSON.stringify(content, null, 2)}\n`)
}
process.exit(failed.length + worse.length > 0 ? 1 : 0)
