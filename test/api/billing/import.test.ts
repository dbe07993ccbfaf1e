import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { SmtpSink } from '../../support/smtp-sink.ts'
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

test('without --run nothing is written, and the report lists what would be imported and what not, with reasons', async () => {
  const { run, folder, whmcs, written } = its
  const before = await written()
  const report = path.join(folder, 'report.csv')
  const { code, said } = await whmcs('--report', report)
  expect({ code, said }).toMatchObject({ code: 0 })
  expect(said).toMatch(/^customer +5 +0 +0 +3$/m)
  expect(said).toMatch(/^plan +3 +0 +0 +0$/m)
  expect(said).toMatch(/^credit +2 +0 +0 +3$/m)
  expect(said).toMatch(/^subscription +6 +0 +0 +9$/m)
  expect(said).toContain('1 subscription: its status is terminated')
  expect(said).toContain('1 subscription: its currency is unknown')
  expect(said).toContain('run the same command with --run')
  const lines = (await readFile(report, 'utf8')).split('\r\n')
  expect(lines).toContain(
    `customer,3,ann@${run}.example.com,skipped,it has the same e-mail address as 1,`,
  )
  // A name from the export cannot start a formula in a spreadsheet.
  expect(lines).toContain("customer,7,'=1+1,skipped,its address is no e-mail address,")
  expect(await written()).toEqual(before)
  const [shown] = (await admin.must('GET /api/billing/imports')).items
  expect(shown).toMatchObject({
    ...{ panel: 'whmcs', origin: run, isDryRun: true, state: 'done', failure: null },
    counts: expect.arrayContaining([
      { kind: 'customer', new: 5, present: 0, before: 0, skipped: 3 },
      { kind: 'subscription', new: 6, present: 0, before: 0, skipped: 9 },
    ]),
    reasons: expect.arrayContaining([
      { kind: 'customer', why: 'it has the same e-mail address as another', count: 1 },
    ]),
  })
  // The report contains no personal data, only the number of people.
  expect(JSON.stringify(shown)).not.toContain('@')
})

test('records of another installation or another panel are not confused with those of the same ID', async () => {
  const { run, folder, whmcs, importWith, written } = its
  await whmcs('--run')
  const before = await written()
  const file = path.join(folder, 'whmcs.sql')
  const own = await readFile(file, 'utf8')
  await writeFile(file, own.replace(`(2,'u2',`, `(2,'u22',`))
  for (const more of [[], ['--run']])
    expect(await whmcs(...more)).toMatchObject({
      code: 1,
      said: expect.stringContaining(`customer 2 is not the one that was imported as ${run}`),
    })
  expect(
    await importWith('--from', 'paymenter', path.join(folder, 'paymenter'), '--run'),
  ).toMatchObject({ code: 1, said: expect.stringContaining('give this installation another name') })
  expect(await written()).toEqual(before)
  const { items } = await admin.must('GET /api/billing/imports')
  expect(items.slice(0, 3).map(({ panel, isDryRun, state }) => [panel, isDryRun, state])).toEqual([
    ['paymenter', false, 'failed'],
    ['whmcs', false, 'failed'],
    ['whmcs', true, 'failed'],
  ])
  expect(items[1]?.failure).toContain('is not the one that was imported')
  // An export without that field is accepted, as before.
  await writeFile(file, own.replaceAll(/'u\d',/g, `'',`))
  expect(await whmcs('--run')).toMatchObject({ code: 0 })
  expect(await written()).toEqual(before)
})

test('imports customers, plans and subscriptions at their own prices, once, without mail or invoices', async () => {
  const { run, whmcs, query, written, userOf, billingOf } = its
  const plan = await admin.must('POST /api/plans', {
    body: { name: `Plan ${run}`, kind: 'account' },
  })
  const here = await admin.must('POST /api/customers', {
    body: {
      email: `here@${run}.example.com`,
      name: 'Known',
      password: 'long enough for a password',
    },
  })
  const mapped = ['--plan', `3=Plan ${run}`]
  const first = await whmcs('--run', ...mapped)
  expect(first).toMatchObject({ code: 0, said: expect.stringMatching(/^customer +4 +1 +0 +3$/m) })
  expect(await userOf('here')).toMatchObject({ id: here.id, name: 'Known' })
  expect(await userOf('ann')).toMatchObject({ name: "Ann O'Brien", state: 'active' })
  expect(await userOf('bob')).toMatchObject({ name: '<b>Bob</b> =HYPERLINK("x")' })

  const { items: plans } = await admin.must('GET /api/plans')
  const small = plans.find(({ name }) => name === `Small ${run}`)
  expect(small).toMatchObject({
    visibility: 'hidden',
    active: false,
    description: '4 GB\n\n1 core',
  })
  expect(
    small?.prices.map(({ cycle, amount, setupFee, currency }) => [
      cycle,
      amount,
      setupFee,
      currency,
    ]),
  ).toEqual([
    ['monthly', 999, 200, 'EUR'],
    ['monthly', 1000, 0, 'JPY'],
    ['yearly', 9990, 0, 'EUR'],
  ])
  expect(plans.some(({ name }) => name === `Mapped ${run}`)).toBe(false)

  const ann = await billingOf('ann')
  expect(ann).toMatchObject({ balances: [{ currency: 'EUR', amount: 1250 }], invoices: [] })
  expect(ann.address).toBe('Brien & Co\nMain St 1\n8010 Graz\nAT')
  const byAmount = new Map(ann.subscriptions.map((one) => [one.price?.amount, one]))
  expect(byAmount.get(999)).toMatchObject({
    status: 'active',
    periodEnd: '2090-03-31T00:00:00.000Z',
    periodStart: '2090-02-28T00:00:00.000Z',
  })
  // Periods invoiced there are not invoiced again.
  expect(byAmount.get(750)).toMatchObject({ periodEnd: '2090-04-30T00:00:00.000Z' })
  expect(byAmount.get(600)).toMatchObject({ status: 'suspended', suspendedFor: 'unpaid' })
  expect(byAmount.get(12_000)).toMatchObject({ planId: plan.id, price: { cycle: 'yearly' } })
  expect(byAmount.get(undefined)).toMatchObject({ planName: `Once ${run}`, price: null })
  expect(ann.subscriptions).toHaveLength(5)
  const bob = await billingOf('bob')
  expect(bob.balances).toEqual([{ currency: 'JPY', amount: 500 }])
  // It was due before the import: what was owed there is not charged here.
  const [overdue] = bob.subscriptions
  expect(overdue).toMatchObject({ status: 'active', price: { amount: 800, currency: 'JPY' } })
  const next = new Date(overdue?.periodEnd ?? 0)
  expect(next > new Date()).toBe(true)
  expect(next.getTime() - Date.now()).toBeLessThan(32 * 86_400_000)

  const { items: entries } = await admin.must('GET /api/audit', { query: { limit: 50 } })
  expect(entries.map(({ what }) => what)).toContain(
    `began to import customers, plans and subscriptions from ${run}`,
  )
  const after = await written()
  const second = await whmcs('--run', ...mapped)
  expect(second.said).toMatch(/^customer +0 +0 +5 +3$/m)
  expect(second.said).toMatch(/^subscription +0 +0 +6 +9$/m)
  expect(await written()).toEqual(after)
  const others = await query(
    `select 1 from invoices join users on users.id = user_id where email like $1
     union all select 1 from email_messages where to_address like $1`,
    [`%@${run}.example.com`],
  )
  expect(others).toEqual([])
})

test('a renewal is invoiced when it is due, at the imported price, and paid from the imported credit', async () => {
  const { whmcs, billingOf, runAt } = its
  await whmcs('--run')
  await runAt(new Date(Date.now() + 60_000))
  expect(
    (await billingOf('ann')).invoices.filter(({ lines }) =>
      lines.some(({ amount }) => amount === 999),
    ),
  ).toEqual([])
  await runAt(new Date('2090-03-25T00:00:00Z'))
  const { invoices, balances, subscriptions } = await billingOf('ann')
  const own = subscriptions.find(({ price }) => price?.amount === 999)
  expect(invoices.filter(({ subscriptionId }) => subscriptionId === own?.id)).toMatchObject([
    {
      lines: [
        {
          amount: 999,
          periodStart: '2090-03-31T00:00:00.000Z',
          periodEnd: '2090-04-30T00:00:00.000Z',
        },
        expect.objectContaining({ kind: 'adjustment' }),
      ],
    },
  ])
  expect(balances.reduce((sum, { amount }) => sum + amount, 0)).toBeLessThan(1250)
})

test('a suspended subscription resumes once the invoice issued a day later is paid', async () => {
  const { run, whmcs, query, billingOf, runAt } = its
  await whmcs('--run')
  const suspended = async () => {
    const { subscriptions, invoices } = await billingOf('ann')
    const one = subscriptions.find(({ price }) => price?.amount === 600)
    return { one, invoices: invoices.filter(({ subscriptionId }) => subscriptionId === one?.id) }
  }
  expect(await suspended()).toMatchObject({ one: { status: 'suspended' }, invoices: [] })
  // More than the credit, so that the credit does not pay for it.
  await query(
    `update plan_prices set amount = 2000 where amount = 600 and plan_id in (select id from plans where name = $1)`,
    [`Small ${run}`],
  )
  const price = async () =>
    (await billingOf('ann')).subscriptions.find((one) => one.price?.amount === 2000)
  await runAt(new Date(Date.now() + 2 * 86_400_000))
  const { id } = (await price()) ?? {}
  const [invoice, ...more] = (await billingOf('ann')).invoices.filter(
    ({ subscriptionId }) => subscriptionId === id,
  )
  expect(more).toEqual([])
  expect(invoice).toMatchObject({ status: 'open', total: 750 })
  await admin.must('POST /api/billing/invoices/{id}/mark-paid', {
    params: { id: invoice?.id ?? '' },
    body: { amount: 750, reference: 'Transfer' },
  })
  expect(await price()).toMatchObject({ status: 'active', suspendedFor: null })
})

test('imports from Paymenter, with quantities, and without its administrators', async () => {
  const { folder, importWith, userOf, billingOf } = its
  const { code, said } = await importWith(
    '--from',
    'paymenter',
    path.join(folder, 'paymenter'),
    '--run',
  )
  expect({ code, said }).toMatchObject({ code: 0 })
  expect(said).toMatch(/^customer +2 +0 +0 +1$/m)
  expect(said).toContain('1 subscription: nothing renews every 2 week here')
  expect(said).toContain('1 price: the plan has another one for this time and currency')
  const fay = await billingOf('fay')
  expect(await userOf('fay')).toMatchObject({ name: 'Fay Förster' })
  expect(fay.balances).toEqual([{ currency: 'EUR', amount: 2000 }])
  const shown = fay.subscriptions.map(({ price, periodEnd }) => [price?.amount ?? 0, periodEnd])
  expect(new Map(shown as [number, string | null][])).toEqual(
    new Map([
      [0, null],
      [1497, '2090-02-28T12:00:00.000Z'],
    ]),
  )
  expect(await userOf('gus')).toMatchObject({ name: null })
})

test('an unconfirmed account receives nothing, and a deleted customer is not imported again', async () => {
  const { run, folder, whmcs, query, userOf } = its
  await query(
    `insert into users (id, email, role, preferences, state) values
      (uuidv7(), $1, 'customer', '{}', 'unverified'), (uuidv7(), $2, 'customer', '{}', 'pending')`,
    [`dan@${run}.example.com`, `bob@${run}.example.com`],
  )
  const report = path.join(folder, 'report.csv')
  await whmcs('--run', '--report', report)
  expect(await readFile(report, 'utf8')).toContain(
    `customer,5,dan@${run}.example.com,skipped,"an account here has this e-mail address, but nobody has confirmed it",`,
  )
  // Rejecting the account deletes it, as if nothing had been imported.
  const [bob] = await query<{ id: string }>('select id from users where email = $1', [
    `bob@${run}.example.com`,
  ])
  await admin.must('POST /api/customers/{id}/reject', { params: { id: bob?.id ?? '' } })
  const eve = await userOf('eve')
  await admin.must('DELETE /api/customers/{id}', { params: { id: eve.id } })
  const again = await whmcs('--run')
  expect(again).toMatchObject({
    code: 0,
    said: expect.stringContaining('its customer was deleted here'),
  })
  await expect(userOf('eve')).rejects.toThrow('no customer')
})

test('customers are invited once if the operator chooses so, except those who have a password', async () => {
  const { run, importWith, folder, query, userOf } = its
  await using sink = await new SmtpSink().listen()
  const files = ['--from', 'paymenter', path.join(folder, 'paymenter'), '--run']
  const fay = `fay@${run}.example.com`
  const gus = `gus@${run}.example.com`
  try {
    await admin.must('PUT /api/settings/mail', { body: { ...sink.settings, host: null } })
    await importWith(...files)
    const { id } = await userOf('gus')
    await query(`update users set password_hash = 'set' where id = $1`, [id])
    const waiting = () =>
      query(`select 1 from imported_records where origin = $1 and invitation = 'waiting'`, [run])
    expect(await importWith(...files, '--invite')).toMatchObject({ code: 0 })
    // Without a mail server the links would expire before they are sent.
    expect(await waiting()).toHaveLength(2)
    await admin.must('PUT /api/settings/mail', { body: sink.settings })
    const sent = await until(() => sink.mails.find(({ to }) => to === fay))
    expect(sent.raw).toContain('/accept#token=')
    await importWith(...files, '--invite')
    expect(await waiting()).toEqual([])
    const mails = await query('select to_address from email_messages where to_address = any($1)', [
      [fay, gus],
    ])
    expect(mails).toEqual([{ to_address: fay }])
  } finally {
    await admin.must('PUT /api/settings/mail', { body: { ...sink.settings, host: null } })
  }
})

test('malformed files are refused before anything is written', async () => {
  const { run, folder, importWith, whmcs, written } = its
  const before = await written()
  const users = path.join(folder, 'paymenter/users.csv')
  const paymenter = (...more: string[]) =>
    importWith('--from', 'paymenter', path.join(folder, 'paymenter'), ...more)
  const refused = async (why: string, ...more: string[]) =>
    expect(await paymenter(...more)).toMatchObject({ code: 1, said: expect.stringContaining(why) })
  await writeFile(users, 'id,first_name,last_name\n1,A,B\n')
  await refused('has no column email')
  await writeFile(users, 'id,first_name,last_name,email\n1,A\n')
  await refused('has a row of 2 fields instead of 4')
  await writeFile(
    users,
    Buffer.from(`id,first_name,last_name,email\n1,J\xf6rg,B,j@${run}.example.com\n`, 'latin1'),
  )
  await refused('is not in utf-8')
  expect(await paymenter('--encoding', 'windows-1252')).toMatchObject({ code: 0 })
  expect(await importWith('--from', 'whmcs', path.join(folder, 'none'))).toMatchObject({
    code: 1,
    said: expect.stringContaining('There is no file or folder'),
  })
  expect(await importWith('--from', 'other', folder)).toMatchObject({ code: 2 })
  expect(await whmcs('--plan', '3=Nothing')).toMatchObject({
    code: 2,
    said: expect.stringContaining('name a product and a plan'),
  })
  expect(await written()).toEqual(before)
})

test('connects servers to their subscriptions, which control them from then on', async () => {
  const { run, folder, whmcs, query, written, userOf, billingOf, runAt } = its
  const node = await lodge.node()
  const { id: templateId } = await lodge.template()
  const size = { memoryMb: 128, cpuPercent: 10, diskMb: 128 }
  await admin.must('POST /api/plans', {
    body: {
      ...{ name: `Plan ${run}`, kind: 'server' },
      preset: { templateIds: [templateId], ...size, locations: 'any' },
    },
  })
  await whmcs('--run', '--plan', `1=Plan ${run}`)
  const serverOf = async (name: string) => {
    const { id: ownerId } = await userOf(name)
    return lodge.server({ ownerId, templateId, nodeId: node.id, ...size })
  }
  const [ann, second, other] = [await serverOf('ann'), await serverOf('ann'), await serverOf('dan')]
  const servers = path.join(folder, 'servers.csv')
  const lines = [`1,${ann}`, `2,${other}`, `4,${ann}`, `5,${ann}`, `99,${ann}`, `3,${randomUUID()}`]
  await writeFile(servers, `service,server\n${lines.join('\n')}\n`)
  const connect = async (...more: string[]) => {
    const report = path.join(folder, 'servers-report.csv')
    const args = ['--plan', `1=Plan ${run}`, '--servers', servers, '--report', report, ...more]
    expect(await whmcs(...args)).toMatchObject({ code: 0 })
    const all = (await readFile(report, 'utf8')).split('\r\n')
    return all
      .filter((line) => line.startsWith('server,'))
      .map((line) => line.split(',').slice(3, 5))
  }
  const skipped = [
    ['skipped', 'another account owns it'],
    ['skipped', 'its subscription is suspended'],
    ['skipped', 'its plan has no servers: name a server plan with --plan'],
    ['skipped', 'its service is not in the export'],
    ['skipped', 'there is no such server'],
  ]
  const before = await written()
  expect(await connect()).toEqual([['new', ''], ...skipped])
  expect(await written()).toEqual(before)
  expect((await connect('--run'))[0]).toEqual(['new', ''])
  expect((await connect('--run'))[0]).toEqual(['imported before', ''])
  const { subscriptions } = await billingOf('ann')
  const own = subscriptions.find(({ price }) => price?.amount === 999)
  expect(own).toMatchObject({ kind: 'server', server: { id: ann, state: 'made' } })
  // The subscription has one server at a time; once that is deleted, another one can be connected.
  const instead = async () => {
    await writeFile(servers, `service,server\n1,${second}\n`)
    return [await connect(), await connect('--run')]
  }
  const hasOne = [['skipped', 'its subscription has another server']]
  expect(await instead()).toEqual([hasOne, hasOne])
  await query('update servers set subscription_id = null where id = $1', [ann])
  expect(await instead()).toEqual([[['new', '']], [['new', '']]])
  expect(
    (await billingOf('ann')).subscriptions.find(({ price }) => price?.amount === 999),
  ).toMatchObject({ server: { id: second, state: 'made' } })
  // Nobody pays, so the subscription is suspended.
  await query('delete from balance_entries where user_id = $1', [(await userOf('ann')).id])
  for (const day of ['2090-03-28', '2090-04-01', '2090-04-09'])
    await runAt(new Date(`${day}T00:00:00Z`))
  const holds = await query('select kind, cause from server_holds where server_id = $1', [second])
  expect(holds).toContainEqual({ kind: 'suspension', cause: 'billing' })
})
