import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { advanceDue } from '../../../control-plane/src/domains/billing/advance.ts'
import type { Caller } from '../../support/caller.ts'
import { runLodge } from '../../support/run-lodge.ts'
import type { Lodge } from '../../support/stack.ts'

/**
 * A copy of the exports, with names, addresses and an installation ID of its own, and a panel that
 * imports it.
 */
export async function exportFor(lodge: Lodge, admin: Caller) {
  const run = randomUUID().slice(0, 8)
  const folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-import-'))
  await cp(path.join(import.meta.dirname, 'exports'), folder, { recursive: true })
  for (const file of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue
    const name = path.join(file.parentPath, file.name)
    await writeFile(name, (await readFile(name, 'utf8')).replaceAll('RUN', run))
  }
  const remove = () => rm(folder, { recursive: true, force: true })
  const environment = () => ({ DATABASE_URL: lodge.database.url, LODGE_DATA: lodge.dataFolder })
  const importWith = (...args: string[]) =>
    runLodge(['import', '--as', run, ...args], environment())
  const whmcs = (...more: string[]) =>
    importWith('--from', 'whmcs', path.join(folder, 'whmcs.sql'), ...more)
  const query = async <Row extends object>(text: string, values: unknown[] = []) =>
    (await lodge.database.pool.query<Row>(text, values)).rows
  /** Counts the rows of every table that an import writes. */
  const written = () =>
    query(`select (select count(*) from users) as users, (select count(*) from plans) as plans,
      (select count(*) from plan_prices) as prices, (select count(*) from subscriptions) as subscriptions,
      (select count(*) from balance_entries) as entries, (select count(*) from imported_records) as records,
      (select count(*) from invoices) as invoices, (select count(*) from email_messages) as mails`)
  const userOf = async (name: string) => {
    const email = `${name}@${run}.example.com`
    const { items } = await admin.must('GET /api/customers', { query: { q: email } })
    const found = items.find((one) => one.email === email)
    if (!found) throw new Error(`no customer ${email}`)
    return found
  }
  /** What a customer who has set a password through a link sees. */
  const billingOf = async (name: string) => {
    const { id, email } = await userOf(name)
    return (await lodge.session(id, email)).must('GET /api/billing')
  }
  /** Runs the tasks due at a time until none is left, without awaiting background tasks. */
  async function runAt(now: Date) {
    for (let round = 0; round < 6; round += 1) {
      await query('update subscriptions set next_at = $1 where next_at is not null', [now])
      await advanceDue(lodge.controlPlane.services, now)
    }
  }
  return {
    run,
    folder,
    environment,
    importWith,
    whmcs,
    query,
    written,
    userOf,
    billingOf,
    runAt,
    remove,
  }
}

export type Export = Awaited<ReturnType<typeof exportFor>>
