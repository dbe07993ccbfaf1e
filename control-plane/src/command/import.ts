import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { IMPORT_FAILURES, IMPORT_RESULTS } from '@lodge/shared/billing/imports.ts'
import { type CsvColumns, csvHead, csvRow } from '@lodge/shared/csv.ts'
import { record } from '../audit/record.ts'
import { readConfig } from '../config.ts'
import type { Db } from '../db/database.ts'
import {
  ENCODINGS,
  type Encoding,
  IMPORT,
  ImportHistory,
  ImportRefused,
  importFrom,
  isPanel,
  type Outcome,
  serversNamed,
  type Tally,
} from '../domains/billing/index.ts'
import { listPlans } from '../domains/plans/index.ts'
import { openPanelDatabase, requireDatabase } from './panel-database.ts'
import { Usage } from './repository.ts'
import { commandLog, tell } from './tell.ts'

const NOTHING = 'Nothing was imported.'
const ORIGIN = /^[\w-]{1,40}$/

/** `lodge import` */
export async function importPanel(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      from: { type: 'string' },
      run: { type: 'boolean', default: false },
      report: { type: 'string' },
      plan: { type: 'string', multiple: true, default: [] },
      servers: { type: 'string' },
      invite: { type: 'boolean', default: false },
      as: { type: 'string' },
      encoding: { type: 'string', default: 'utf-8' },
    },
  })
  const { from = '', run: writes, encoding } = values
  if (!isPanel(from)) throw new Usage('Say where it comes from: --from whmcs or --from paymenter')
  if (positionals.length === 0) throw new Usage('Name the files of the export, or their folder')
  if (!isEncoding(encoding)) throw new Usage(`--encoding is one of ${ENCODINGS.join(', ')}`)
  const origin = values.as ?? from
  if (!ORIGIN.test(origin)) throw new Usage('--as takes letters, digits, - and _')
  const config = readConfig()
  const log = commandLog(config)
  requireDatabase(config, NOTHING)
  await using panel = await openPanelDatabase(config, log, NOTHING)
  const { db } = panel
  const report = values.report === undefined ? undefined : await openReport(values.report)
  try {
    const planIds = await plansNamed(db, values.plan)
    const { servers } = values
    const serverIds = servers === undefined ? new Map() : await serversNamed(servers)
    const ended = new AbortController()
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => ended.abort(new Error(IMPORT_FAILURES.ended)))
    if (writes)
      await record(
        { db, actor: { kind: 'system' } },
        { action: IMPORT, detail: { target: origin } },
      )
    const history = await ImportHistory.begin(db, {
      ...{ panel: from, origin, isDryRun: !writes, invites: values.invite, startedAt: new Date() },
    })
    try {
      await importFrom(from, positionals, encoding, {
        ...{
          db,
          origin,
          writes,
          planIds,
          serverIds,
          invites: values.invite,
          now: new Date(),
          signal: ended.signal,
        },
        async tell(outcome) {
          history.tally.add(outcome)
          await report?.write(outcome)
          await history.goesOn()
        },
      })
      await history.end(null)
    } catch (error) {
      const isKnown = error === ended.signal.reason || error instanceof ImportRefused
      await history.end(
        isKnown && error instanceof Error ? error.message : IMPORT_FAILURES.unexpected,
      )
      throw error
    } finally {
      if (writes || !ended.signal.aborted) show(history.tally)
    }
    tell.line(
      writes
        ? `Imported. Invoices begin a day from now. ${values.invite ? 'The panel sends customers without a password a link.' : 'Nobody was sent mail.'}`
        : 'Nothing was imported. To import it, run the same command with --run.',
    )
  } finally {
    await report?.end()
  }
}

const isEncoding = (name: string): name is Encoding => ENCODINGS.some((one) => one === name)

/** Plans of Lodge for products of the other panel, as `<product>=<name or id of the plan>`. */
async function plansNamed(db: Db, given: readonly string[]): Promise<Map<string, string>> {
  const plans = given.length === 0 ? [] : await listPlans(db)
  return new Map(
    given.map((one) => {
      const [, product = '', named = ''] = /^([^=]+)=(.+)$/.exec(one) ?? []
      const plan = plans.find(({ id, name }) => id === named || name === named)
      if (plan) return [product, plan.id]
      throw new Usage(`--plan ${one}: name a product and a plan of Lodge, as in --plan 7=Small`)
    }),
  )
}

/** Prints how many records of each kind have which result, and why records are skipped. */
function show(tally: Tally): void {
  const { counts, reasons } = tally.shown(MOST_REASONS + 1)
  const cells = (row: readonly (string | number)[]) =>
    row.map((cell, at) => (at === 0 ? `${cell}`.padEnd(14) : `${cell}`.padStart(17))).join('')
  tell.line(cells(['', ...IMPORT_RESULTS]))
  for (const { kind, ...one } of counts)
    tell.line(cells([kind, one.new, one.present, one.before, one.skipped]))
  if (reasons.length > 0) tell.line('Skipped:')
  for (const { kind, why, count } of reasons.slice(0, MOST_REASONS))
    tell.line(`  ${count} ${kind}: ${why}`)
  if (reasons.length > MOST_REASONS) tell.line('  and others: see --report')
}
const MOST_REASONS = 20

const COLUMNS: CsvColumns<Outcome> = [
  ['Record', ({ kind }) => kind],
  ['Id there', ({ sourceId }) => sourceId],
  ['Name', ({ about }) => about],
  ['Result', ({ result }) => result],
  ['Note', ({ note }) => note],
  ['Id in Lodge', ({ targetId }) => targetId],
]

/** Writes a CSV file with a row for each record. */
async function openReport(file: string) {
  const stream = createWriteStream(file, { flags: 'w', mode: 0o600 })
  await once(stream, 'open')
  stream.write(csvHead(COLUMNS))
  return {
    async write(outcome: Outcome): Promise<void> {
      if (!stream.write(csvRow(COLUMNS, outcome))) await once(stream, 'drain')
    },
    async end(): Promise<void> {
      stream.end()
      await finished(stream)
    },
  }
}
