import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Domain } from '../../../control-plane/src/domain.ts'
import { drawPreviews } from '../../../control-plane/src/domains/attachments/previews/previews.ts'
import { scanAttachments } from '../../../control-plane/src/domains/attachments/scan.ts'
import { modules } from '../../../control-plane/src/modules.ts'
import { newKey, publicKeyOf } from '../../../plugins/sdk/pack.ts'
import type { Caller } from '../../support/caller.ts'
import { picture } from '../../support/pictures.ts'
import { samplePackage } from '../../support/plugin.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { openEvents } from '../support/event-stream.ts'

// Files arrive here, and are scanned when a test says so, or by the process that the test kills.

const key = newKey()
let lodge: Lodge
let admin: Caller
let customer: Caller
/** Stands for a control plane that stops. */
let stopping: AbortController

beforeAll(async () => {
  lodge = await startLodge({
    modules: modules.map(
      (one: Domain): Domain => (one.name === 'attachments' ? { ...one, periodic: [] } : one),
    ),
    environment: { LODGE_PLUGIN_KEYS: publicKeyOf(key) },
  })
  admin = await lodge.admin()
})
afterAll(() => lodge?.[Symbol.asyncDispose]())
beforeEach(async () => {
  for (const { id } of (await admin.must('GET /api/plugins')).items)
    await admin.must('DELETE /api/plugins/{plugin}', { params: { plugin: id } })
  await lodge.database.pool.query('delete from attachments')
  lodge.controlPlane.services.plugins.now = Date.now
  stopping = new AbortController()
  customer = await lodge.customer()
})

/** Installs a scanner with this program. */
const scanner = (scan: string, more = '', id = 'scanner') =>
  admin.must('POST /api/plugins', {
    body: {
      source: 'upload',
      package: samplePackage(
        { id, kinds: ['scanner'], permissions: ['attachments.scan', 'storage'] },
        `${more}\nexport default (host) => ({ scanner: { async scan({ file, name, type, sizeBytes }) { ${scan} } } })`,
        key,
      ).toString('base64'),
      acceptPermissions: true,
    },
  })
const CLEAN = `return { verdict: 'clean' }`

async function upload(name: string, bytes: string | Buffer, by = customer) {
  const answer = await by.send({
    ...{ method: 'POST', url: `/api/support/tickets/new/attachments?name=${name}` },
    headers: { 'content-type': 'application/octet-stream' },
    payload: Buffer.from(bytes as string),
  })
  expect(answer.statusCode).toBe(201)
  return answer.json<{ id: string; scan: string }>()
}

const open = (attachments: readonly string[]) => ({
  body: { subject: 'A file', bodyMarkdown: 'Look', attachments: [...attachments] },
})

/** A ticket with a file. */
async function ticketWith(name: string, bytes: string | Buffer) {
  const { id } = await upload(name, bytes)
  const ticket = await customer.must('POST /api/support/tickets', open([id]))
  const url = `/api/support/tickets/${ticket.id}/attachments/${id}`
  return {
    id: ticket.id,
    attachmentId: id,
    async download(by = admin) {
      const { statusCode, body } = await by.send({ method: 'GET', url })
      return statusCode === 200 ? body : (JSON.parse(body) as { code: string }).code
    },
    async shown() {
      const { messages } = await admin.must('GET /api/support/tickets/{id}', {
        params: { id: ticket.id },
      })
      const { scan, scanWhy } = messages[0]?.attachments[0] ?? {}
      return [scan, scanWhy]
    },
  }
}

/** Scans waiting files, as if they were due. */
async function scan() {
  await lodge.database.pool.query(
    `update attachment_scans set due_at = now() where state = 'waiting'`,
  )
  return scanAttachments.run(lodge.controlPlane.services, stopping.signal)
}

test('without a scanner files can be downloaded immediately', async () => {
  const file = await ticketWith('a.txt', 'hello')
  expect([await file.shown(), await file.download()]).toEqual([['none', null], 'hello'])
})

test('nobody can download a file until the scanner has read all of it', async () => {
  await scanner(
    `const hash = createHash('sha256')
     let pieces = 0
     for await (const piece of host.readFile(file)) { hash.update(piece); pieces++ }
     console.log(name, type, sizeBytes, pieces, hash.digest('hex'))
     ${CLEAN}`,
    `import { createHash } from 'node:crypto'`,
  )
  const text = 'all is well\n'.repeat(100_000)
  const file = await ticketWith('long.txt', text)
  expect(await file.shown()).toEqual(['waiting', null])
  expect(await file.download()).toBe('attachment_not_scanned')
  expect(await file.download(customer)).toBe('attachment_not_scanned')
  const stream = await openEvents(lodge, admin)
  expect(await scan()).toEqual({ scanned: 1, postponed: 0 })
  await stream.next(
    ({ event, data }) => event === 'ticket' && (data as { id: string }).id === file.id,
  )
  stream.close()
  expect(await file.shown()).toEqual(['clean', null])
  expect(await file.download()).toBe(text)
  const { rows } = await lodge.database.pool.query('select sha256 from attachments where id = $1', [
    file.attachmentId,
  ])
  const log = { params: { plugin: 'scanner' }, query: {} }
  await expect
    .poll(async () => (await admin.must('GET /api/plugins/{plugin}/logs', log)).items.at(-1)?.text)
    .toBe(`long.txt text/plain 1200000 3 ${rows[0].sha256}`)
})

test('an image has a preview only once the scanner has found it clean', async () => {
  await scanner(
    `return name === 'bad.png' ? { verdict: 'infected', why: 'A worm' } : { verdict: 'clean' }`,
  )
  const files = [
    await ticketWith('bad.png', await picture()),
    await ticketWith('good.png', await picture()),
  ]
  const previews = async () =>
    Promise.all(
      files.map(async ({ id }) => {
        const { messages } = await admin.must('GET /api/support/tickets/{id}', { params: { id } })
        return messages[0]?.attachments[0]?.preview.state
      }),
    )
  expect(await previews()).toEqual(['none', 'none'])
  expect(await scan()).toEqual({ scanned: 2, postponed: 0 })
  expect(await previews()).toEqual(['none', 'waiting'])
  expect(await drawPreviews.run(lodge.controlPlane.services)).toEqual({ drawn: 1 })
  expect(await previews()).toEqual(['none', 'made'])
})

test('an infected file is refused with the reason, whether its message was sent already or not', async () => {
  await scanner(
    `return name === 'bad.txt' ? { verdict: 'infected', why: 'A \\u0000worm\\n' } : { verdict: 'clean' }`,
  )
  const sent = await ticketWith('bad.txt', 'worm')
  const good = await ticketWith('good.txt', 'hello')
  const unsent = await upload('bad.txt', 'worm')
  expect(unsent.scan).toBe('waiting')
  const told = async (type: string) => {
    const { items } = await admin.must('GET /api/notifications', { query: {} })
    return items
      .filter((one) => one.type === type)
      .map(({ title, body, link }) => ({ title, body, link }))
  }
  const before = await told('attachment.infected')
  expect(await scan()).toEqual({ scanned: 3, postponed: 0 })
  const { number } = await admin.must('GET /api/support/tickets/{id}', { params: { id: sent.id } })
  expect((await told('ticket.file_infected'))[0]).toEqual({
    title: `A scanner refused a file of ${number}`,
    body: 'bad.txt: A worm',
    link: `/admin/desk/${sent.id}`,
  })
  const unsentNotices = await told('attachment.infected')
  expect(unsentNotices.length).toBe(before.length + 1)
  expect(unsentNotices[0]).toMatchObject({
    title: expect.stringMatching(/^A scanner refused a file of .+@.+ before it was sent$/),
    body: 'bad.txt: A worm',
    link: `/admin/customers/${customer.id}`,
  })
  // That page does not exist for staff.
  await upload('bad.txt', 'worm', admin)
  expect(await scan()).toEqual({ scanned: 1, postponed: 0 })
  expect((await told('attachment.infected'))[0]?.link).toBeNull()
  expect(await sent.shown()).toEqual(['infected', 'A worm'])
  expect([await sent.download(), await good.download()]).toEqual(['attachment_infected', 'hello'])
  const refused = await customer.call('POST /api/support/tickets', open([unsent.id]))
  expect(refused).toMatchObject({
    status: 403,
    body: { code: 'attachment_infected', detail: 'The file bad.txt was refused: A worm' },
  })
})

test('a refused file of an appeal is reported to those who decide', async () => {
  await scanner(`return { verdict: 'infected', why: 'A worm' }`)
  await admin.must('POST /api/customers/{id}/suspend', {
    params: { id: customer.id },
    body: { reasonCode: 'security', publicReason: 'Somebody else signed in', note: 'A note' },
  })
  const uploaded = await customer.send({
    ...{ method: 'POST', url: '/api/suspension/attachments?name=proof.txt' },
    headers: { 'content-type': 'application/octet-stream' },
    payload: Buffer.from('worm'),
  })
  await customer.must('POST /api/suspension/appeal', {
    body: {
      message: 'My account was used by somebody else, I changed the password.',
      attachments: [uploaded.json<{ id: string }>().id],
    },
  })
  const inbox = async (by: Caller) =>
    (await by.must('GET /api/notifications', { query: {} })).items.filter(
      ({ type }) => type === 'appeal.file_infected',
    )
  const [decides, helps] = await Promise.all([
    lodge.limitedAdmin(['suspension.manage']),
    lodge.limitedAdmin(['support.view', 'support.reply']),
  ])
  await scan()
  expect(await inbox(decides)).toMatchObject([
    { body: 'proof.txt: A worm', link: `/admin/customers/${customer.id}/suspension` },
  ])
  expect(await inbox(helps)).toEqual([])
})

test.each([
  ['hangs', 'for (;;);'],
  ['crashes', 'process.exit(1)'],
  ['throws', `throw new Error('no')`],
  ['refuses', `throw host.refusal('no', 'Not today')`],
  ['answers with something else', `return { verdict: 'maybe' }`],
  [
    'answers with more than there may be',
    `return { verdict: 'infected', why: 'x'.repeat(2 ** 28) }`,
  ],
  [
    'sends a gibibyte',
    `const part = 'x'.repeat(1 << 20); for (let at = 0; at < 1024; at++) pipe.write(part); await new Promise(() => {})`,
  ],
  ['reads the file over and over', 'for (;;) for await (const _ of host.readFile(file));'],
  ['reads another file', `for await (const _ of host.readFile(crypto.randomUUID()));`],
])('a file is held as long as the scanner %s, and clean once it responds', async (_name, code) => {
  await scanner(
    code,
    `import { Socket } from 'node:net'\nconst pipe = new Socket({ fd: 3, readable: false })`,
  )
  const file = await ticketWith('a.txt', 'hello')
  for (let attempt = 0; attempt < 2; attempt++) {
    // Lets the restart delay of a crashed process pass as well.
    lodge.controlPlane.services.plugins.now = () => Date.now() + attempt * 61_000
    const done = scan()
    // The task that keeps plugins running ends one that hangs.
    const looks = setInterval(() => void lodge.controlPlane.services.plugins.checkAll(), 500)
    expect(await done.finally(() => clearInterval(looks))).toEqual({ scanned: 0, postponed: 1 })
    expect([await file.shown(), await file.download()]).toEqual([
      ['waiting', null],
      'attachment_not_scanned',
    ])
  }
  lodge.controlPlane.services.plugins.now = Date.now
  await admin.must('DELETE /api/plugins/{plugin}', { params: { plugin: 'scanner' } })
  await scanner(CLEAN)
  expect(await scan()).toEqual({ scanned: 1, postponed: 0 })
  expect(await file.download()).toBe('hello')
})

test('files are held while the scanner is turned off by Lodge, but not while it is turned off by a person', async () => {
  await scanner(CLEAN)
  const file = await ticketWith('a.txt', 'hello')
  await lodge.database.pool.query(`update plugins set enabled = false, failure = 'It failed'`)
  expect(await scan()).toEqual({ scanned: 0, postponed: 1 })
  const later = await ticketWith('b.txt', 'hello')
  expect([await file.download(), await later.download()]).toEqual([
    ...['attachment_not_scanned', 'attachment_not_scanned'],
  ])
  const off = { params: { plugin: 'scanner' }, body: { enabled: false } }
  await admin.must('PATCH /api/plugins/{plugin}', off)
  expect(await scan()).toEqual({ scanned: 2, postponed: 0 })
  expect([await file.shown(), await later.download()]).toEqual([['unscanned', null], 'hello'])
})

test('files stay held by another version of a scanner that Lodge turned off, until somebody turns it on', async () => {
  const params = { plugin: 'scanner' }
  await scanner(CLEAN)
  const file = await ticketWith('a.txt', 'hello')
  await lodge.database.pool.query(`update plugins set enabled = false, failure = 'It failed'`)
  const version = samplePackage(
    {
      ...{ id: 'scanner', version: '1.0.1', kinds: ['scanner'] },
      permissions: ['attachments.scan', 'storage'],
    },
    `export default () => ({ scanner: { scan: () => (${"{ verdict: 'clean' }"}) } })`,
    key,
  )
  await admin.must('POST /api/plugins/{plugin}/update', {
    params,
    body: { package: version.toString('base64'), acceptPermissions: true },
  })
  expect(await scan()).toEqual({ scanned: 0, postponed: 1 })
  await admin.must('POST /api/plugins/{plugin}/rollback', { params })
  expect(await scan()).toEqual({ scanned: 0, postponed: 1 })
  expect(await file.download()).toBe('attachment_not_scanned')
  await admin.must('PATCH /api/plugins/{plugin}', { params, body: { enabled: true } })
  expect(await scan()).toEqual({ scanned: 1, postponed: 0 })
  expect(await file.download()).toBe('hello')
})

test('a scanner that fails does not hide another one’s finding', async () => {
  await scanner(`throw new Error('no signatures')`, '', 'a-scanner')
  await scanner(`return { verdict: 'infected', why: 'A worm' }`, '', 'b-scanner')
  const file = await ticketWith('a.txt', 'worm')
  expect(await scan()).toEqual({ scanned: 1, postponed: 0 })
  expect(await file.shown()).toEqual(['infected', 'A worm'])
})

test('a control plane that stops does not wait for a scanner, and counts no attempt', async () => {
  await scanner('await new Promise(() => {})')
  const file = await ticketWith('a.txt', 'hello')
  const { plugins } = lodge.controlPlane.services
  const scanning = scan()
  await until(() => plugins.running().has('scanner'))
  stopping.abort()
  expect(await scanning).toEqual({ scanned: 0, postponed: 0 })
  expect(await file.shown()).toEqual(['waiting', null])
})

test('files pass after three attempts if the support desk is configured so, and are held until then', async () => {
  await scanner(`throw new Error('no signatures')`)
  const held = await ticketWith('a.txt', 'hello')
  for (let attempt = 0; attempt < 3; attempt++) await scan()
  expect(await held.download()).toBe('attachment_not_scanned')
  const policy = (passUnscanned: boolean) =>
    admin.must('PUT /api/support/settings', { body: { passUnscanned } })
  expect((await policy(true)).settings).toMatchObject({ passUnscanned: true })
  const file = await ticketWith('b.txt', 'hello')
  for (const passes of [false, false, true]) {
    await scan()
    expect(await file.shown()).toEqual([passes ? 'unscanned' : 'waiting', null])
  }
  expect([await file.download(), await held.download()]).toEqual(['hello', 'hello'])
  await policy(false)
})

test('a control plane killed during a scan loses no file, and releases none unscanned', async () => {
  // It is found clean only by a process that finds the state left by the first one.
  await scanner(
    `if (!(await host.storage.get('begun'))) {
       await host.storage.set('begun', name)
       await new Promise(() => {})
     }
     ${CLEAN}`,
  )
  const { database, dataFolder, origin } = lodge
  const file = await ticketWith('a.txt', 'hello')
  const program = path.join(import.meta.dirname, 'scanning.owner.ts')
  const begin = () =>
    fork(program, [database.url, database.application.url, dataFolder, origin], {
      stdio: 'ignore',
    })
  const count = async (query: string) =>
    (await database.pool.query(`select from ${query}`)).rowCount === 1
  const first = begin()
  await until(() => count(`plugin_storage where value = 'a.txt'`))
  first.kill('SIGKILL')
  await once(first, 'exit')
  expect([await file.shown(), await file.download()]).toEqual([
    ['waiting', null],
    'attachment_not_scanned',
  ])
  // It stays claimed for three minutes, in case its control plane is still alive.
  expect(await count('attachment_scans where due_at > now()')).toBe(true)
  await database.pool.query('update attachment_scans set due_at = now()')
  const second = begin()
  await until(() => count(`attachment_scans where state = 'clean'`))
  second.kill('SIGKILL')
  await once(second, 'exit')
  expect(await file.download()).toBe('hello')
})

test('the bundled checks refuse a test virus', async () => {
  await admin.must('POST /api/plugins', {
    body: { source: 'bundled', id: 'scanner-basic', acceptPermissions: true },
  })
  const text = ['EICAR-STANDARD-ANTIVIRUS', 'TEST-FILE'].join('-')
  const file = await ticketWith('a.txt', `X5O!${text}`)
  await scan()
  expect(await file.shown()).toEqual(['infected', 'It is the EICAR test file'])
})
