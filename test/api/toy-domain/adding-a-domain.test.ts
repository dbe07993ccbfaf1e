import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../../control-plane/src/db/database.ts'
import { routesOf } from '../../../control-plane/src/domain.ts'
import { accessMatrix } from '../../../control-plane/src/http/reference/matrix.ts'
import { openapi } from '../../../control-plane/src/http/reference/openapi.ts'
import { modules } from '../../../control-plane/src/modules.ts'
import { type Caller, requestOf } from '../../support/caller.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { openEvents } from '../support/event-stream.ts'
import { greetingBudgets } from './budgets.ts'
import { greetings } from './domain.ts'
import { CREATE_GREETINGS } from './tables.ts'

// What docs/adding-a-domain.md promises: a folder and its line in the list, and nothing else.
const all = [...modules, greetings]
let lodge: Lodge
let admin: Caller
beforeAll(async () => {
  lodge = await startLodge({ modules: all })
  await openDatabase(lodge.database.pool).execute(CREATE_GREETINGS)
  admin = await lodge.admin()
})
afterAll(() => lodge[Symbol.asyncDispose]())

const greet = (caller: Caller, name: string) =>
  caller.send(requestOf('POST /api/greetings', { body: { name } }))
const notices = async () =>
  (await admin.must('GET /api/notifications', { query: { limit: 100 } })).items.map(
    ({ title }) => title,
  )

test('its endpoint is served as declared, in the API, the matrix and the description', async () => {
  const answer = await greet(admin, 'Ada')
  expect(answer.statusCode).toBe(201)
  expect(answer.json()).toMatchObject({ text: 'Hello, Ada' })
  expect((await greet(await lodge.customer(), 'Ada')).statusCode).toBe(403)
  expect((await greet(lodge.anonymous(), 'Ada')).statusCode).toBe(401)

  const routes = routesOf(all)
  const [head = '', row = ''] = accessMatrix(routes)
    .split('\n')
    .filter((line) => /^endpoint|greetings/.test(line))
    .map((line) => line.trim().split(/ {2,}/))
  expect(row[head.indexOf('super admin')]).toBe('yes')
  expect(row[head.indexOf('customer')]).toBe('403')
  const { paths, tags } = openapi(
    routes,
    all.flatMap(({ headings = [] }) => headings),
  ) as { paths: Record<string, object>; tags: object[] }
  expect(paths['/api/greetings']).toMatchObject({
    post: { operationId: 'createGreeting', tags: ['Greetings'] },
  })
  expect(tags).toContainEqual({ name: 'Greetings', description: 'Kind words.' })
})

test('its actions are recorded in its words', async () => {
  await greet(admin, 'Grace')
  const { items } = await admin.must('GET /api/audit', { query: { q: 'greeted' } })
  expect(items.map(({ what }) => what)).toContain('greeted Grace')
})

test('its periodic task runs, and its news reach inboxes and open panels', async () => {
  const stream = openEvents(lodge, admin)
  await stream.opened
  await greet(admin, 'Mary')
  const received = await stream.next(
    ({ event, data }) => event === 'greeting' && Object(data).text === 'Hello, Mary',
  )
  expect(received.data).toMatchObject({ text: 'Hello, Mary' })
  stream.close()
  expect(await notices()).toContain('Hello, Mary')
})

test('its mail is sent in its words, listed and may be edited', async () => {
  await greet(admin, 'Emmy')
  const sent = async () =>
    (await admin.must('GET /api/email/outbox', { query: { limit: 100 } })).items.map(
      ({ template, to, subject }) => [template, to, subject],
    )
  await until(async () =>
    (await sent()).some((mail) => mail.join() === 'hello,host@example.com,Hello, Emmy'),
  )
  const { items } = await admin.must('GET /api/email/templates')
  expect(items.find(({ id }) => id === 'hello')).toMatchObject({
    title: 'A greeting',
    variables: expect.arrayContaining(['text', 'link']),
  })
  const { subject } = await admin.must('POST /api/email/templates/{template}/preview', {
    params: { template: 'hello' },
    body: {},
  })
  expect(subject).toBe('Hello, Ada')
})

test('its events are recorded, and its metrics are exposed to Prometheus', async () => {
  await greet(admin, 'Sophie')
  await until(async () => {
    const { items } = await admin.must('GET /api/audit', { query: { q: 'Hello, Sophie' } })
    return items.some(({ what }) => what === 'said Hello, Sophie')
  })
  const token = await readFile(path.join(lodge.dataFolder, 'metrics-token'), 'utf8')
  const page = await lodge.controlPlane.app.inject({
    url: '/metrics',
    headers: { authorization: `Bearer ${token.trim()}` },
  })
  expect(page.body).toMatch(/^lodge_greetings \d+$/m)
})

test('its rate limit is enforced', async () => {
  const { burst } = greetingBudgets.greet
  const answers = await Promise.all(Array.from({ length: burst + 1 }, () => greet(admin, 'Hedy')))
  expect(answers.map(({ statusCode }) => statusCode)).toContain(429)
})

test('it receives events of the domains below', async () => {
  const email = 'invited@example.com'
  await admin.must('POST /api/customers', { body: { email, name: 'Invited' } })
  await until(async () => (await notices()).includes(`Hello, ${email}`))
})

test('its settings appear among the others', async () => {
  const { areas } = await admin.must('GET /api/settings/origins')
  expect(areas).toContainEqual({
    area: 'greetings',
    changedAt: null,
    settings: [{ pointer: '/salutation', origin: 'default', variable: null, default: 'Hello' }],
  })
})
