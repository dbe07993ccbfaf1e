import { afterAll, beforeAll, expect, test } from 'vitest'
import { mailTo } from '../../support/mailbox.ts'
import { runLodge } from '../../support/run-lodge.ts'
import { type Lodge, PASSWORD, startLodge } from '../../support/stack.ts'
import { totpCode } from '../../support/totp.ts'

let lodge: Lodge
beforeAll(async () => {
  lodge = await startLodge()
})
afterAll(() => lodge[Symbol.asyncDispose]())

const command = (...args: string[]) =>
  runLodge(args, {
    DATABASE_URL: lodge.database.url,
    LODGE_DATA: lodge.dataFolder,
    WEB_ORIGIN: lodge.origin,
  })
const signIn = (email: string, password: string) =>
  lodge.anonymous().call('POST /api/auth/login', { body: { email, password, stepwise: true } })

test('a super administrator who has lost every factor is let in by a command on the machine', async () => {
  const root = await lodge.admin()
  const { email } = root
  if (!(await root.must('GET /api/auth/factors')).totp) {
    const { secret } = await root.must('POST /api/auth/totp/setup')
    await root.must('POST /api/auth/totp/confirm', { body: { code: await totpCode(secret, -1) } })
  }
  expect((await signIn(email, PASSWORD)).body).toMatchObject({ requires2fa: true })

  const unnamed = await command('reset-second-factor')
  expect(unnamed).toEqual({ code: 2, said: 'Name one account by its e-mail address\n' })
  const unknown = await command('reset-second-factor', 'nobody@example.com')
  expect([unknown.code, unknown.said]).toEqual([
    1,
    expect.stringMatching(/^No account has the address nobody@example.com: .* Nothing was changed/),
  ])

  const done = await command('reset-second-factor', email.toUpperCase())
  expect([done.code, done.said]).toEqual([
    0,
    expect.stringContaining(`${email} has no second factor any more`),
  ])
  expect((await root.call('GET /api/auth/me')).status).toBe(401)
  const again = lodge.anonymous().named(root.id, email)
  await again.must('POST /api/auth/login', { body: { email, password: PASSWORD } })
  expect(await again.must('GET /api/auth/factors')).toEqual({
    ...{ totp: false, passkeys: 0, recoveryCodes: 0 },
  })
  root.cookie = again.cookie
  expect((await mailTo(lodge, email, 'second_factor_changed')).text).toContain(
    'A command on the panel’s machine removed all of them',
  )
  const { items } = await again.must('GET /api/audit', {
    query: { action: 'second factors removed by command' },
  })
  expect(items[0]).toMatchObject({ actor: { kind: 'system' }, detail: { target: email } })

  const twice = await command('reset-second-factor', email)
  expect([twice.code, twice.said]).toEqual([1, expect.stringContaining('has no second factor:')])
})

test('without mail the operator makes a link to a new password by a command', async () => {
  const { email } = await lodge.customer()
  const { code, said } = await command('reset-password', email)
  expect(code).toBe(0)
  const [, token = ''] = new RegExp(`${lodge.origin}/accept#token=([\\w-]+)`).exec(said) ?? []
  const password = 'another long password'
  await lodge.anonymous().must('POST /api/auth/token/accept', { body: { token, password } })
  expect((await signIn(email, password)).status).toBe(200)
})
