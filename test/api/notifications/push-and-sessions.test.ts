import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteEndedSessions } from '../../../control-plane/src/domains/auth/store.ts'
import type { Caller } from '../../support/caller.ts'
import { type Lodge, PASSWORD, startLodge } from '../../support/stack.ts'
import { pushBrowser } from './push-browser.ts'

let lodge: Lodge
let admin: Caller
let count = 0
beforeAll(async () => {
  lodge = await startLodge()
  admin = await lodge.admin()
})
afterAll(() => lodge?.[Symbol.asyncDispose]())

/**
 * Browsers of a new person that show notifications, each with its own session and a channel of the
 * same name.
 */
async function browsers(...names: string[]): Promise<Caller[]> {
  const email = `push-${++count}@example.com`
  const { id } = await admin.must('POST /api/customers', { body: { email, password: PASSWORD } })
  return Promise.all(
    names.map(async (name) => {
      const caller = await lodge.session(id, email)
      await turnOn(caller, name)
      return caller
    }),
  )
}
const turnOn = (caller: Caller, name: string) =>
  caller.must('POST /api/notification-channels', {
    body: {
      ...{ name, kind: 'web_push', url: `https://push.example.com/send/${++count}` },
      ...{ keys: pushBrowser().keys, events: [] },
    },
  })
const shownIn = async ({ id, email }: Caller): Promise<string[]> => {
  const witness = await lodge.session(id, email)
  const { items } = await witness.must('GET /api/notification-channels')
  return items.map(({ name }) => name).sort()
}
const sessionOf = async (caller: Caller): Promise<string> => {
  const { items } = await caller.must('GET /api/auth/sessions')
  return items.find(({ current }) => current)?.id ?? ''
}
const signIn = (caller: Caller) =>
  caller.must('POST /api/auth/login', { body: { email: caller.email, password: PASSWORD } })
const lapse = async (caller: Caller): Promise<void> => {
  await lodge.database.pool.query(
    `update sessions set last_seen_at = now() - interval '1 hour', expires_at = now() - interval '1 hour'
     where id = $1`,
    [await sessionOf(caller)],
  )
  expect((await caller.call('GET /api/auth/me')).status).toBe(401)
}

test('a device that is signed out from another one receives no more notifications', async () => {
  const [own, lost] = (await browsers('own', 'lost')) as [Caller, Caller]
  await own.must('DELETE /api/auth/sessions/{id}', { params: { id: await sessionOf(lost) } })
  expect(await shownIn(own)).toEqual(['own'])
})

test('signing out everywhere else, or a new password, keeps the notifications of this browser', async () => {
  const [own] = (await browsers('own', 'other', 'third')) as [Caller]
  await own.must('POST /api/auth/sessions/revoke-others')
  expect(await shownIn(own)).toEqual(['own'])
  await turnOn(await lodge.session(own.id, own.email), 'again elsewhere')
  await own.must('POST /api/auth/password', {
    body: { currentPassword: PASSWORD, newPassword: PASSWORD },
  })
  expect(await shownIn(own)).toEqual(['own'])
})

test('a customer whom the host signs out or suspends receives none', async () => {
  const [customer] = (await browsers('one', 'two')) as [Caller]
  const params = { id: customer.id }
  await admin.must('POST /api/customers/{id}/sign-out', { params })
  expect(await shownIn(customer)).toEqual([])
  await turnOn(await lodge.session(customer.id, customer.email), 'three')
  await admin.must('POST /api/customers/{id}/suspend', {
    params,
    body: { reasonCode: 'terms', publicReason: 'Please read', options: { blockSignIn: true } },
  })
  const { rows } = await lodge.database.pool.query(
    'select name from notification_channels where user_id = $1',
    [customer.id],
  )
  expect(rows).toEqual([])
})

test('other channels stay, whichever sessions end', async () => {
  const [own] = (await browsers('own')) as [Caller]
  const elsewhere = await lodge.session(own.id, own.email)
  await elsewhere.must('POST /api/notification-channels', {
    body: { name: 'chat', kind: 'webhook', url: 'https://hooks.example.com/x', events: [] },
  })
  await own.must('POST /api/auth/sessions/revoke-others')
  expect(await shownIn(own)).toEqual(['chat', 'own'])
})

test('signing out ends the notifications of this browser alone', async () => {
  const [own, other] = (await browsers('own', 'other')) as [Caller, Caller]
  await other.must('POST /api/auth/logout')
  expect(await shownIn(own)).toEqual(['own'])
})

test('notifications outlive an expired session, and belong to the next one in that browser while it is in use', async () => {
  const [own, other] = (await browsers('own', 'other')) as [Caller, Caller]
  await lapse(other)
  await deleteEndedSessions(lodge.controlPlane.services.db)
  expect(await shownIn(own)).toEqual(['other', 'own'])
  await signIn(other)
  const third = await lodge.session(own.id, own.email)
  await own.must('DELETE /api/auth/sessions/{id}', { params: { id: await sessionOf(third) } })
  expect(await shownIn(own)).toEqual(['other', 'own'])
  await own.must('DELETE /api/auth/sessions/{id}', { params: { id: await sessionOf(other) } })
  expect(await shownIn(own)).toEqual(['own'])
})

test('revoking sessions also ends notifications of browsers whose session has expired without a successor', async () => {
  const [own, other, third] = (await browsers('own', 'other', 'third')) as [Caller, Caller, Caller]
  await lapse(other)
  await lodge.database.pool.query('delete from sessions where expires_at < now()')
  await own.must('DELETE /api/auth/sessions/{id}', { params: { id: await sessionOf(third) } })
  expect(await shownIn(own)).toEqual(['own'])
})

test('nobody takes over the notifications of a person who was signed in there before', async () => {
  const [former] = (await browsers('former')) as [Caller]
  const [next] = (await browsers('next')) as [Caller]
  const shared = lodge.anonymous({ cookie: former.cookie ?? '' }).named(next.id, next.email)
  await signIn(shared)
  await next.must('POST /api/auth/sessions/revoke-others')
  expect(await shownIn(former)).toEqual(['former'])
})
