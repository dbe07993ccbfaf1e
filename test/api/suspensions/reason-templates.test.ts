import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'

let lodge: Lodge
let english: Caller
let german: Caller
beforeAll(async () => {
  lodge = await startLodge()
  english = await lodge.admin()
  german = await lodge.limitedAdmin(['suspension.view', 'suspension.manage'])
  await german.must('PUT /api/auth/preferences', { body: { mode: 'system', language: 'de' } })
})
afterAll(() => lodge[Symbol.asyncDispose]())

const settingsOf = (caller: Caller) => caller.must('GET /api/support/suspension-settings')
const namesFor = async (caller: Caller) =>
  (await settingsOf(caller)).templates.map((one) => one.name)
const ENGLISH_NAMES = ['Abuse', 'Payment dispute', 'Terms of service', 'Compromised account']

test('the built-in reasons are in the language of the suspending person, until somebody edits them', async () => {
  expect(await namesFor(english)).toEqual(ENGLISH_NAMES)
  const { templates, ...settings } = await settingsOf(german)
  expect(templates[0]).toMatchObject({ name: 'Missbrauch', reasonCode: 'abuse' })
  expect(templates[0]?.text).toContain('Server missbraucht')

  // Saving another setting does not store them in German for everybody.
  const body = { ...settings, templates, retentionDays: 365 }
  expect(await german.must('PUT /api/support/suspension-settings', { body })).toEqual(body)
  expect(await namesFor(english)).toEqual(ENGLISH_NAMES)
  expect(await settingsOf(german)).toEqual(body)

  const own = { ...body, templates: templates.slice(0, 1) }
  await german.must('PUT /api/support/suspension-settings', { body: own })
  for (const caller of [english, german]) expect(await settingsOf(caller)).toEqual(own)
})
