import { writeFileSync } from 'node:fs'
import os from 'node:os'
import { parseArgs } from 'node:util'
import { type Figure, tableOf, verdictOf } from './measure/table.ts'
import type { Row } from './row.ts'
import { restList } from './rows/07-rest-list.ts'
import { type DatabaseServer, startDatabaseServer } from './stage/database.ts'
import { Ending } from './stage/ending.ts'

/** npm run bench [-- <row numbers>] [--long] [--json file] */

const rows: readonly Row[] = [restList]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { long: { type: 'boolean', default: false }, json: { type: 'string' } },
})
const wanted = positionals.map(Number)
const unknown = wanted.filter((number) => !rows.some((row) => row.number === number))
if (unknown.length > 0) {
  console.error(`There is no row ${unknown.join(', ')}: ${rows.map((row) => row.number).join(' ')}`)
  process.exit(2)
}
const chosen = wanted.length > 0 ? rows.filter((row) => wanted.includes(row.number)) : rows

let current: Ending | undefined
let database: DatabaseServer | undefined
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await current?.run()
    await database?.stop()
    process.exit(1)
  })
}

const figures: Figure[] = []
const failed: string[] = []
const say = (line: string) => console.error(line)
database = await startDatabaseServer()
for (const row of chosen) {
  say(`${row.number} ${row.name}`)
  const started = performance.now()
  const ending = new Ending()
  current = ending
  try {
    const found = await row.run({
      database,
      long: values.long,
      ending,
      say: (line) => say(`  ${line}`),
    })
    figures.push(...found.map((figure) => ({ row: row.number, ...figure })))
  } catch (error) {
    failed.push(`${row.number} ${row.name}: ${error instanceof Error ? error.stack : error}`)
  } finally {
    await ending.run()
  }
  say(`  ${Math.round((performance.now() - started) / 1000)} s`)
}
await database.stop()

console.log(tableOf(figures))
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
process.exit(failed.length > 0 ? 1 : 0)
