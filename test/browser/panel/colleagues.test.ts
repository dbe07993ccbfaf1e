import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import type { Lodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { type Browser, openBrowser } from '../support/browser.ts'
import { startPanel } from '../support/panel.ts'
import { beOn } from '../support/visit.ts'

let lodge: Lodge
let admin: Caller
let browser: Browser
let page: Page

beforeAll(async () => {
  lodge = await startPanel()
  admin = await lodge.admin()
  browser = await openBrowser(lodge.origin)
  page = browser.page
  await beOn(browser, lodge.origin, admin)
})

afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
})

const button = (name: string | RegExp) => page.getByRole('button', { name })
const field = (label: string) => page.getByLabel(label, { exact: true })
const auditDays = async () => (await admin.must('GET /api/settings/security')).auditDays

test('settings that a colleague saves meanwhile stay so when others are saved', async () => {
  await page.goto('/admin/settings/security')
  await field('Keep entries for (days)').fill('90')
  const administratorAddresses = ['10.0.0.0/8', '127.0.0.0/8']
  const settings = () => admin.must('GET /api/settings/security')
  const before = await settings()
  await admin.must('PUT /api/settings/security', { body: { ...before, administratorAddresses } })
  await button('Save settings').click()
  await until(async () => (await auditDays()) === 90)
  expect((await settings()).administratorAddresses).toEqual(administratorAddresses)
  await admin.must('PUT /api/settings/security', { body: before })
})

test('a password that was typed for one mail server is not saved for that of a colleague', async () => {
  const settings = () => admin.must('GET /api/settings/mail')
  const { dkim: _, hasPassword: __, ...rest } = await settings()
  const save = (host: string) =>
    admin.must('PUT /api/settings/mail', {
      body: { ...rest, host, user: 'panel', password: `of ${host}`, dkim: null },
    })
  await save('mail.example.com')
  await page.goto('/admin/settings/mail')
  await field('Password').fill('another one')
  await save('other.example.com')
  await button('Save settings').click()
  await page.getByText('Mail settings saved').first().waitFor()
  expect(await settings()).toMatchObject({ host: 'mail.example.com', hasPassword: true })
})

test('permissions that a colleague grants and revokes stay so when others are saved', async () => {
  const { id, email } = await lodge.limitedAdmin(['servers.view', 'audit.view'])
  await page.goto('/admin/team')
  await button(`Permissions of ${email}`).first().click()
  const dialog = page.getByRole('dialog', { name: `Permissions of ${email}` })
  await dialog.getByRole('checkbox', { name: 'See customers', exact: true }).check({ force: true })
  await admin.must('PUT /api/team/{id}/permissions', {
    ...{ params: { id }, body: { permissions: ['servers.view', 'nodes.view'] } },
  })
  await dialog.getByRole('button', { name: 'Save permissions' }).click()
  await dialog.waitFor({ state: 'detached' })
  const { items } = await admin.must('GET /api/team')
  const held = items.find((person) => person.id === id)?.permissions
  expect(held?.toSorted()).toEqual(['customers.view', 'nodes.view', 'servers.view'])
})
