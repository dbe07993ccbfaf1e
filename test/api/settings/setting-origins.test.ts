import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { type Lodge, ORIGIN, startLodge } from '../../support/stack.ts'

const TOKEN = 'a token that nobody may read here'
let lodge: Lodge
let admin: Caller
beforeAll(async () => {
  lodge = await startLodge({
    environment: { LODGE_ADMIN_ADDRESSES: 'any', LODGE_METRICS_TOKEN: TOKEN },
  })
  admin = await lodge.admin()
})
afterAll(() => lodge[Symbol.asyncDispose]())

const origins = () => admin.must('GET /api/settings/origins')
/** Settings that differ from the defaults, as `area/pointer: origin`. */
const changed = async () =>
  (await origins()).areas.flatMap(({ area, settings }) =>
    settings
      .filter(({ origin }) => origin !== 'default')
      .map(({ pointer, origin }) => `${area}${pointer}: ${origin}`),
  )
const BARRED = 'security/administratorAddresses: environment'

test('every setting is a default until somebody changes it, and again when it is reset', async () => {
  expect(await changed()).toEqual([BARRED])
  expect((await origins()).areas.every(({ changedAt }) => changedAt === null)).toBe(true)

  const signup = await admin.must('GET /api/settings/signup')
  const body = { ...signup, captcha: { provider: 'off', siteKey: null } } as const
  const terms = { required: false, termsUrl: 'https://example.com/terms', privacyUrl: null }
  await admin.must('PUT /api/settings/signup', { body: { ...body, mode: 'open', terms } })
  await admin.must('PUT /api/limits/defaults', { body: { maxServers: 2 } })
  const mail = {
    host: 'mail.example.com',
    port: 587,
    security: 'starttls',
    user: null,
    from: { name: 'Lodge', address: 'panel@example.com' },
    dkim: null,
  } as const
  await admin.must('PUT /api/settings/mail', { body: { ...mail, password: 'secret' } })
  expect((await changed()).toSorted()).toEqual([
    'limit_defaults/maxServers: set',
    'mail/from/address: set',
    'mail/host: set',
    'mail/password: set',
    BARRED,
    'signup/mode: set',
    'signup/terms/termsUrl: set',
  ])
  const { areas } = await origins()
  expect(areas.filter(({ changedAt }) => changedAt !== null).map(({ area }) => area)).toEqual([
    'mail',
    'limit_defaults',
    'signup',
  ])

  await admin.must('PUT /api/settings/signup', { body })
  expect(await changed()).not.toContainEqual(expect.stringMatching(/^signup/))
})

test('a variable that overrides a setting is named', async () => {
  const security = (await origins()).areas.find(({ area }) => area === 'security')
  expect(security?.settings).toEqual([
    {
      pointer: '/administratorAddresses',
      origin: 'environment',
      variable: 'LODGE_ADMIN_ADDRESSES',
      default: [],
    },
    { pointer: '/auditDays', origin: 'default', variable: null, default: 730 },
  ])
})

test('the environment is listed with its defaults, and without its secrets', async () => {
  const { variables } = await origins()
  const variable = (name: string) => variables.find((one) => one.name === name)
  expect(variable('WEB_ORIGIN')).toEqual({ name: 'WEB_ORIGIN', value: ORIGIN, isGiven: true })
  expect(variable('LODGE_FLEET_HOST')?.isGiven).toBe(true)
  expect(variable('LODGE_TRUSTED_PROXIES')).toMatchObject({ isGiven: false })
  expect(variable('LODGE_DATABASE_CONNECTIONS')?.value).toMatch(/^\d+$/)
  for (const name of ['LODGE_METRICS_TOKEN', 'DATABASE_URL'])
    expect(variable(name)).toEqual({ name, value: null, isGiven: true })
  expect(JSON.stringify(variables)).not.toContain(TOKEN)
})
