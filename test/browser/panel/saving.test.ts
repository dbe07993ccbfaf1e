import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import type { Lodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { type Browser, expectAccessible, openBrowser, picture } from '../support/browser.ts'
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

test('the bar names what changed, and discards it or saves it by Ctrl S', async () => {
  await page.goto('/admin/settings/mail')
  await field('Host').fill('mail.example.com')
  await field('Port').fill('2525')
  await page.getByText('2 changes: Host, Port').waitFor()
  await expectAccessible(page)
  await picture(page, 'saving-bar')
  await button('Discard').click()
  await expect.poll(() => field('Host').inputValue()).toBe('')
  await expect.poll(() => field('Port').inputValue()).toBe('587')
  await expect.poll(() => button('Save settings').getAttribute('aria-disabled')).toBe('true')

  await field('Host').fill('mail.example.com')
  await page.keyboard.press('Control+s')
  await page.getByText('Mail settings saved').first().waitFor()
  expect((await admin.must('GET /api/settings/mail')).host).toBe('mail.example.com')
})

test('what differs from its default is marked, and goes back to it by itself', async () => {
  await page.goto('/admin/settings/security')
  const days = field('Keep entries for (days)')
  await days.fill('90')
  await button('Save settings').click()
  await until(async () => (await auditDays()) === 90)
  await page.getByText('Default: 730').waitFor()
  await picture(page, 'saving-differs')
  await button('Reset Keep entries for (days)').click()
  await expect.poll(() => days.inputValue()).toBe('730')
  await button('Save settings').click()
  await until(async () => (await auditDays()) === 730)
  expect(await page.getByText('Default: 730').count()).toBe(0)
})

test('a complaint of the server stands at its field, which has the focus', async () => {
  await page.goto('/admin/settings/security')
  const days = field('Keep entries for (days)')
  await days.fill('5')
  await button('Save settings').click()
  await page.locator('[aria-invalid="true"]:focus').and(days).waitFor()
  expect(await auditDays()).toBe(730)
  await button('Discard').click()
})

test('leaving with unsaved changes asks first, in the panel and by the browser', async () => {
  await page.goto('/admin/settings/security')
  await field('Keep entries for (days)').fill('365')
  await page.getByRole('link', { name: 'Mail', exact: true }).click()
  const question = page.getByRole('dialog', { name: 'Discard changes?' })
  await question.getByText('1 change: Keep entries for (days)').waitFor()
  await expectAccessible(page, '[role="dialog"]')
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect(new URL(page.url()).pathname).toBe('/admin/settings/security')
  await expect.poll(() => field('Keep entries for (days)').inputValue()).toBe('365')

  const asked = page.waitForEvent('dialog')
  const closing = page.reload()
  const dialog = await asked
  expect(dialog.type()).toBe('beforeunload')
  await dialog.accept()
  await closing

  await field('Keep entries for (days)').fill('365')
  await page.getByRole('link', { name: 'Mail', exact: true }).click()
  await question.getByRole('button', { name: 'Discard changes' }).click()
  await page.waitForURL('**/admin/settings/mail')
  expect(await auditDays()).toBe(730)
})

const question = () => page.getByRole('dialog', { name: 'Discard changes?' })

test('a dialog with typed text asks before Escape or its cross closes it, and Cancel closes it', async () => {
  await page.goto('/admin/team')
  await button('Invite administrator').click()
  const dialog = page.getByRole('dialog', { name: 'Invite administrator' })
  // Nothing is typed yet.
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })

  await button('Invite administrator').click()
  const email = dialog.getByLabel('E-mail', { exact: true })
  await email.fill('ann@example.com')
  await page.keyboard.press('Escape')
  await question().getByText('What you entered here is not saved.').waitFor()
  await expectAccessible(page, '[role="dialog"]')
  await picture(page, 'dialog-discard')
  await page.keyboard.press('Escape')
  await question().waitFor({ state: 'hidden' })
  await expect.poll(() => email.inputValue()).toBe('ann@example.com')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await question().getByRole('button', { name: 'Discard changes' }).click()
  await dialog.waitFor({ state: 'hidden' })

  await button('Invite administrator').click()
  await email.fill('ann@example.com')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect(await question().count()).toBe(0)
})

test('a page for something new asks before it is left with typed text', async () => {
  await page.goto('/admin/customers/new')
  await field('E-mail').fill('zoe@example.com')
  await page.getByRole('link', { name: 'Nodes', exact: true }).first().click()
  await question().getByText('What you entered on this page is not saved.').waitFor()
  await question().getByRole('button', { name: 'Cancel' }).click()
  await button('Create customer').click()
  await page.waitForURL(/\/admin\/customers\/[0-9a-f-]{36}/)
  expect(await question().count()).toBe(0)
})

/** Reloads the page, and returns what the browser asks. */
async function reloadAsked(): Promise<string> {
  const asked = page.waitForEvent('dialog')
  const closing = page.reload()
  const dialog = await asked
  await dialog.accept()
  await closing
  return dialog.type()
}

test('the editor of a template names what changed in form and source, and discards it', async () => {
  const { id } = await lodge.template()
  await page.goto(`/admin/templates/${id}/edit`)
  const source = page.getByRole('textbox', { name: 'Source of the template' })
  const name = field('Name').first()
  await source.waitFor()
  const called = await name.inputValue()

  await name.fill('Called otherwise')
  await field('Memory (MiB)').fill('2048')
  await page.getByText('2 changes: Name, Memory (MiB)').waitFor()
  await expectAccessible(page)
  await picture(page, 'saving-template')
  await button('Discard').click()
  await expect.poll(() => name.inputValue()).toBe(called)
  expect(await source.textContent()).toContain(`"name": "${called}"`)
  expect(await button('Save template').getAttribute('aria-disabled')).toBe('true')

  await field('Memory (MiB)').fill('much')
  await page.getByText('1 change: Memory (MiB)').waitFor()
  expect(await button('Save template').getAttribute('aria-disabled')).toBe('true')
  await button('Discard').click()
  await expect.poll(() => field('Memory (MiB)').inputValue()).not.toBe('much')

  await source.focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText('{ "name": ')
  await page.getByText('1 change: Source').waitFor()
  await button('Discard').click()
  await expect.poll(() => source.textContent()).toContain(`"name": "${called}"`)
})

test('leaving an edited template asks first, a saved one does not', { tags: 'long' }, async () => {
  const { id } = await lodge.template()
  await page.goto(`/admin/templates/${id}/edit`)
  const up = page
    .getByRole('navigation', { name: 'Breadcrumbs' })
    .getByRole('link', { name: 'Templates', exact: true })
  await field('Name').first().fill('Almost lost')
  await up.click()
  await question().getByText('1 change: Name').waitFor()
  await question().getByRole('button', { name: 'Cancel' }).click()
  expect(await field('Name').first().inputValue()).toBe('Almost lost')
  expect(await reloadAsked()).toBe('beforeunload')

  await field('Name').first().fill('Kept')
  await page.keyboard.press('Control+s')
  await page.getByText('Template saved').first().waitFor()
  await up.click()
  await page.waitForURL('**/admin/templates')
  const saved = await admin.must('GET /api/templates/{id}', { params: { id } })
  expect(saved.name).toBe('Kept')
})

test('the store entry of a template names what changed, and asks before it is left', {
  tags: 'long',
}, async () => {
  const { id } = await lodge.template()
  await page.goto(`/admin/templates/${id}`)
  await field('Description for customers (optional)').fill('Repeats what you say')
  await page.getByRole('switch', { name: /^Featured/ }).click()
  await page.getByText('2 changes: Featured, Description for customers').waitFor()
  await expectAccessible(page)
  await picture(page, 'saving-store')
  await page.getByRole('link', { name: 'Edit template' }).click()
  await question().getByRole('button', { name: 'Cancel' }).click()
  await button('Save store entry').click()
  await page.getByText('Store entry saved').first().waitFor()
  expect(await admin.must('GET /api/templates/{id}', { params: { id } })).toMatchObject({
    featured: true,
    customerDescription: 'Repeats what you say',
  })
})

test('variables of a server name what changed, and ask before they are left', async () => {
  const [{ id: templateId }, node, owner] = [
    await lodge.template(),
    await lodge.node(),
    await lodge.customer(),
  ]
  const id = await lodge.server({ ownerId: owner.id, templateId, nodeId: node.id, start: false })
  await page.goto(`/servers/${id}/startup`)
  await field('Greeting').fill('Good evening')
  await page.getByText('1 change: Greeting').waitFor()
  await page.getByRole('link', { name: 'Network', exact: true }).click()
  await question().getByRole('button', { name: 'Cancel' }).click()
  await button('Save changes').click()
  await page.getByText('Variables saved').first().waitFor()
  const { variables } = await admin.must('GET /api/servers/{id}/startup', { params: { id } })
  expect(variables.find(({ env }) => env === 'GREETING')?.value).toBe('Good evening')
})

test('settings of a server are saved together, and keep what is typed when somebody else saves', async () => {
  const { items } = await admin.must('GET /api/servers')
  const params = { id: items[0]?.id ?? '' }
  await page.goto(`/servers/${params.id}/settings`)
  await page.getByRole('combobox', { name: 'Folder' }).fill('Games')
  await page.getByRole('textbox', { name: 'Memory' }).fill('640 MiB')
  await page.getByText('2 changes: Folder, Memory').waitFor()
  await admin.must('PATCH /api/servers/{id}', { params, body: { name: 'Renamed elsewhere' } })
  await expect.poll(() => field('Name').inputValue()).toBe('Renamed elsewhere')
  await page.getByText('2 changes: Folder, Memory').waitFor()
  await page.getByRole('link', { name: 'Network', exact: true }).click()
  await question().getByText('2 changes: Folder, Memory').waitFor()
  await question().getByRole('button', { name: 'Cancel' }).click()
  await picture(page, 'saving-server')
  await button('Save changes').click()
  await page.getByText('Size changed').first().waitFor()
  const saved = await admin.must('GET /api/servers/{id}', { params })
  expect(saved).toMatchObject({ memoryMb: 640, folder: 'Games', name: 'Renamed elsewhere' })
  await page.getByRole('link', { name: 'Network', exact: true }).click()
  await page.waitForURL('**/network')
})

test('the crash policy names what changed and asks before it is left', {
  tags: 'long',
}, async () => {
  const { items } = await admin.must('GET /api/servers')
  const params = { id: items[0]?.id ?? '' }
  await page.goto(`/servers/${params.id}/crashes`)
  await field('Maximum restarts').fill('7')
  await page.getByText('1 change: Maximum restarts').waitFor()
  expect(await reloadAsked()).toBe('beforeunload')
  await field('Maximum restarts').fill('7')
  await button('Save policy').click()
  await page.getByText('Crash policy saved').first().waitFor()
  const policy = await admin.must('GET /api/servers/{id}/crash-policy', { params })
  expect(policy.maxRestarts).toBe(7)
})

test('the editor of a mail names what changed, discards it, and asks before it is left', {
  tags: 'long',
}, async () => {
  await page.goto('/admin/email/templates/invitation')
  const body = page.getByRole('textbox', { name: 'Text' })
  const text = await body.inputValue()
  await field('Subject').fill('Welcome')
  await body.fill('Come in.')
  await page.getByText('2 changes: Subject, Text').waitFor()
  expect(await button('Send test mail').getAttribute('aria-disabled')).toBe('true')
  await expectAccessible(page)
  await picture(page, 'saving-mail')
  await button('Discard').click()
  await expect.poll(() => body.inputValue()).toBe(text)

  await field('Subject').fill('Welcome')
  await page.getByRole('link', { name: 'Mail templates', exact: true }).click()
  await question().getByText('1 change: Subject').waitFor()
  await question().getByRole('button', { name: 'Cancel' }).click()
  expect(await reloadAsked()).toBe('beforeunload')

  await field('Subject').fill('Welcome, {{ user.name }}')
  await button('Save template').click()
  await page.getByText('Customized').waitFor()
  await field('Subject').fill('Thrown away with the rest')
  await button('Reset to default').click()
  await button('Reset template').click()
  await page.getByText('Customized').waitFor({ state: 'detached' })
  await expect.poll(() => field('Subject').inputValue()).not.toMatch(/^(Welcome|Thrown)/)
  await page.getByRole('link', { name: 'Mail templates', exact: true }).click()
  await page.waitForURL('**/admin/email/templates')
})

test('a group of limits shows what is set, and sizes are typed in any form', async () => {
  await page.goto('/admin/plans/new')
  await field('Name').fill('Typed freely')
  await field('Memory, set here').fill('4g')
  await page.getByText('= 4 GiB').waitFor()
  await field('Servers, set here').fill('3')
  await expect.poll(() => field('Memory, set here').inputValue()).toBe('4 GiB')
  await page.getByText('2 of 9 set').waitFor()
  await button(/^Hide unset/).click()
  await expect.poll(() => field('Disk, set here').count()).toBe(0)
  await button(/^Show all 9/).click()
  await button('Reset Servers').click()
  await page.getByText('1 of 9 set').waitFor()
  await button('Create plan').click()
  await page.getByRole('heading', { level: 1, name: 'Typed freely' }).waitFor()
  await page.goto('/admin/plans')
  await page.getByRole('cell', { name: 'Memory: 4 GiB' }).waitFor()
  expect(browser.faults).toEqual([])
})

test('a save by somebody else is taken over, except for fields changed here', async () => {
  const { id } = await admin.must('POST /api/customers', {
    body: { email: 'ann@example.com' },
  })
  await page.goto(`/admin/customers/${id}/limits`)
  await field('Memory, set here').fill('4 GiB')
  await admin.must('PATCH /api/customers/{id}', {
    params: { id },
    body: { quota: { maxServers: 3 } },
  })
  // The page asks again once something else of the customer has been changed.
  await button(/^Actions for ann@/).click()
  await page.getByRole('menuitem', { name: 'Edit customer…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit ann@example.com' })
  await dialog.getByLabel('Name (optional)').fill('Ann')
  await dialog.getByRole('button', { name: 'Save customer' }).click()
  await expect.poll(() => field('Servers, set here').inputValue()).toBe('3')
  await expect.poll(() => field('Memory, set here').inputValue()).toBe('4 GiB')
  await page.getByText('1 change: Memory').waitFor()
  await button('Save limits').click()
  await page.getByText('Limits saved').waitFor()
  const { quota } = await admin.must('GET /api/customers/{id}', { params: { id } })
  expect(quota).toEqual({ maxServers: 3, maxMemoryMb: 4096 })
})
