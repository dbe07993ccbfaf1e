import { createWriteStream } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { finished } from 'node:stream/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ImportHistory } from '../../../control-plane/src/domains/billing/imports/history-store.ts'
import type { Caller } from '../../support/caller.ts'
import { runLodge, startLodgeCommand } from '../../support/run-lodge.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { type Export, exportFor } from './import-world.ts'

let lodge: Lodge
let admin: Caller
let its: Export
beforeAll(async () => {
  lodge = await startLodge()
  admin = await lodge.admin()
})
afterAll(() => lodge[Symbol.asyncDispose]())
beforeEach(async () => {
  its = await exportFor(lodge, admin)
  return its.remove
})

/** Writes an export with this many clients and their services. */
async function writeMany(count: number) {
  const { run, folder } = its
  const clients = createWriteStream(path.join(folder, 'tblclients.csv'))
  const services = createWriteStream(path.join(folder, 'tblhosting.csv'))
  clients.write('id,firstname,lastname,email,currency,credit,status\n')
  services.write('id,userid,packageid,nextduedate,billingcycle,amount,domainstatus\n')
  for (let id = 1; id <= count; id += 1) {
    clients.write(`${id},"N${id}","${'x'.repeat(60)}",n${id}@${run}.example.com,1,1.00,Active\n`)
    services.write(`${id},${id},1,2090-01-31,Monthly,${id % 50}.50,Active\n`)
  }
  await Promise.all([finished(clients.end()), finished(services.end())])
  await writeFile(path.join(folder, 'tblcurrencies.csv'), 'id,code\n1,EUR\n')
  await writeFile(
    path.join(folder, 'tblproducts.csv'),
    `id,name,paytype\n1,Many ${run},recurring\n`,
  )
  await writeFile(
    path.join(folder, 'tblpricing.csv'),
    'type,currency,relid,monthly\nproduct,1,1,5.50\n',
  )
  await rm(path.join(folder, 'whmcs.sql'))
}

test('the panel shows the last import however many dry runs came after it, and never a refused one', async () => {
  const { run, folder, whmcs, importWith } = its
  const paymenter = path.join(folder, 'paymenter')
  expect(await importWith('--from', 'whmcs', paymenter, '--run')).toMatchObject({ code: 1 })
  expect(await importWith('--from', 'paymenter', paymenter, '--run')).toMatchObject({ code: 0 })
  const about = { panel: 'whmcs', isDryRun: true, invites: false, startedAt: new Date() } as const
  for (let look = 0; look < 101; look += 1)
    await ImportHistory.begin(lodge.controlPlane.services.db, { ...about, origin: `other ${run}` })
  expect(await whmcs('--run')).toMatchObject({
    code: 1,
    said: expect.stringContaining(`${run} is what paymenter was imported as`),
  })
})

test('customers keep the address of the other panel for taxes and invoices', async () => {
  const { folder, importWith, whmcs, billingOf } = its
  expect(await whmcs('--run')).toMatchObject({ code: 0 })
  const placeOf = async (name: string) => (await billingOf(name)).taxPlace
  const ann = { country: 'AT', postalCode: '8010', region: '', taxNumber: 'ATU12345678' }
  expect(await placeOf('ann')).toEqual(ann)
  expect(await placeOf('bob')).toMatchObject({ country: 'AT', postalCode: '1010', taxNumber: '' })
  const files = ['--from', 'paymenter', path.join(folder, 'paymenter'), '--run']
  expect(await importWith('--as', `${its.run}-2`, ...files)).toMatchObject({ code: 0 })
  expect(await billingOf('fay')).toMatchObject({
    address: 'Invalidenstr. 1\n10115 Berlin\nGermany',
    taxPlace: { country: 'DE', postalCode: '10115', region: '', taxNumber: 'DE123456789' },
  })

  // Somebody whose billing is paused here is billed nothing for what they have there, either.
  const { id } = await its.userOf('ann')
  await admin.must('POST /api/customers/{id}/suspend', {
    ...{ params: { id }, body: { reasonCode: 'other', options: { pauseBilling: true } } },
  })
  const again = ['--from', 'whmcs', path.join(folder, 'whmcs.sql'), '--run']
  expect(await importWith('--as', `${its.run}-3`, ...again)).toMatchObject({ code: 0 })
  const running = await its.query(
    `select from subscriptions where user_id = $1 and price_id is not null
       and (status <> 'suspended' or next_at is not null and suspended_for <> 'unpaid')`,
    [id],
  )
  expect(running).toEqual([])
})

test('each record is imported once even if two concurrent imports are killed repeatedly', async () => {
  const { run, folder, environment, query } = its
  const COUNT = 400
  await writeMany(COUNT)
  const counted = async () => {
    const [row] = await query<{ kind: string; count: number }>(
      'select count(*)::int as count from imported_records where origin = $1',
      [run],
    )
    return row?.count ?? 0
  }
  const args = ['import', '--as', run, '--from', 'whmcs', folder, '--run']
  for (const enough of [50, 500, 900]) {
    const { child, ended } = startLodgeCommand(args, environment())
    // On a busy machine the command takes many seconds just to start.
    await until(async () => (await counted()) >= enough)
    child.kill('SIGKILL')
    await ended
  }
  const both = await Promise.all([runLodge(args, environment()), runLodge(args, environment())])
  expect(both.map(({ code }) => code)).toEqual([0, 0])
  expect((await runLodge(args, environment())).code).toBe(0)
  const rows = await query(
    `select count(*)::int as people, sum(subscriptions)::int as subscriptions, sum(cents)::int as cents from (
      select users.id, (select count(*) from subscriptions where user_id = users.id) as subscriptions,
        (select sum(amount) from balance_entries where user_id = users.id) as cents
      from users where email like $1) as one`,
    [`n%@${run}.example.com`],
  )
  expect(rows).toEqual([{ people: COUNT, subscriptions: COUNT, cents: COUNT * 100 }])
})

test('100,000 customers are read within a bounded heap', async () => {
  const { run, folder, environment } = its
  const COUNT = 100_000
  await writeMany(COUNT)
  const report = path.join(folder, 'report.csv')
  const { code, said } = await runLodge(
    ['import', '--as', run, '--from', 'whmcs', folder, '--report', report],
    { ...environment(), NODE_OPTIONS: '--max-old-space-size=256' },
  )
  expect({ code, said }).toMatchObject({ code: 0 })
  expect(said).toMatch(/^customer +100000 +0 +0 +0$/m)
  const lines = (await readFile(report, 'utf8')).split('\r\n').length
  expect(lines).toBe(3 * COUNT + 3)
})

test('an import that its operator interrupts prints how to resume it', async () => {
  const { run, folder, environment, query } = its
  await writeMany(400)
  const args = ['import', '--as', run, '--from', 'whmcs', folder, '--run']
  const { child, ended } = startLodgeCommand(args, environment())
  await until(async () => {
    const rows = await query('select 1 from imported_records where origin = $1 limit 1', [run])
    return rows.length > 0
  })
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ code: 1, said: expect.stringContaining('run it again') })
})
