import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mailTo } from '../../support/mailbox.ts'
import { until } from '../../support/until.ts'
import { codeOf } from '../support/authenticator.ts'
import { type Browser, openBrowser, picture } from '../support/browser.ts'
import { openStage, type Stage } from '../support/stage.ts'
import { beOn } from '../support/visit.ts'

let stage: Stage
let browser: Browser
let page: Page

beforeAll(async () => {
  stage = await openStage()
  browser = await openBrowser(stage.lodge.origin)
  page = browser.page
})

afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await stage?.[Symbol.asyncDispose]()
})

const button = (name: string) => page.getByRole('button', { name, exact: true })

test('a stopping server goes from stopping to stopped and never looks as if it ran again', async () => {
  await beOn(browser, stage.lodge.origin, stage.admin)
  const { running } = stage.servers
  await page.goto(`/servers/${running}`)
  const pill = page.locator('h1 + * [aria-live]')
  await pill.getByText('Running').waitFor()
  await pill.evaluate((element) => {
    const seen: string[] = []
    Object.assign(window, { seen })
    new MutationObserver(() => seen.push(element.textContent ?? '')).observe(element, {
      subtree: true,
      childList: true,
      characterData: true,
    })
  })
  await button('Stop').click()
  await page.getByRole('button', { name: 'Stop server' }).click()
  await pill.getByText('Stopped').waitFor()
  const seen = await page.evaluate(() => (window as unknown as { seen: string[] }).seen)
  expect([...new Set(seen)]).toEqual(['Stopping', 'Stopped'])
})

test('the last output of a stopped server can be read completely, and kill is not offered', async () => {
  await page.goto(`/servers/${stage.servers.running}/console`)
  const output = page.getByRole('region', { name: 'Last output' })
  await output.getByText('Done (3.214s)!').waitFor()
  await picture(page, 'stopped-console')
  const text = await output.boundingBox()
  const start = await page
    .getByRole('region', { name: /^Console of/ })
    .getByRole('button', { name: 'Start' })
    .boundingBox()
  expect((start?.y ?? 0) >= (text?.y ?? 0) + (text?.height ?? 0)).toBe(true)
  await expect(button('Kill').getAttribute('aria-disabled')).resolves.toBe('true')
})

test('enabling self-service shows the missing requirements, with links', async () => {
  const { pool } = stage.lodge.database
  await pool.query('update templates set customer_visible = false')
  await page.goto('/admin/settings/self-service')
  await page.getByText('No template is shown to customers').waitFor()
  await picture(page, 'self-service')
  await page.getByRole('link', { name: 'Open templates' }).click()
  await page.waitForURL('**/admin/templates')
  await pool.query(`update templates set customer_visible = true where origin = 'custom'`)
  await page.goto('/admin/settings/self-service')
  await page.getByRole('radio', { name: /^Every customer/ }).waitFor()
  await until(async () => (await page.getByText('No template is shown').count()) === 0)
})

test('the reminder of a second factor disappears when it is set up, and its recovery codes are saved as a file', async () => {
  const newcomer = await stage.lodge.limitedAdmin(['servers.view'])
  await beOn(browser, stage.lodge.origin, newcomer)
  await page.goto('/account/security')
  const reminder = page.getByText('Administrators need a second factor')
  await reminder.waitFor()
  await button('Set up').click()
  const dialog = page.getByRole('dialog')
  const secret = (await dialog.getByRole('code').textContent()) ?? ''
  await dialog.getByLabel('Code', { exact: true }).fill(await codeOf(secret, -1))
  await button('Confirm authenticator').click()
  await page.getByRole('dialog', { name: /recovery codes/ }).waitFor()
  await picture(page, 'recovery-codes')
  const [file] = await Promise.all([page.waitForEvent('download'), button('Download').click()])
  expect(file.suggestedFilename()).toBe('recovery-codes-localhost.txt')
  await button('I saved them').click()
  await reminder.waitFor({ state: 'detached' })
})

test('a customer is deleted from their page after typing their name, and gets a password link', async () => {
  const { admin, lodge } = stage
  const email = 'leaving@example.com'
  const { id } = await admin.must('POST /api/customers', {
    body: { email, password: 'a long enough password' },
  })
  await beOn(browser, lodge.origin, admin)
  await page.goto(`/admin/customers/${id}`)
  await page.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Send password link…' }).click()
  await picture(page, 'customer')
  await button('Send link').click()
  await page.getByText('No mail was sent').waitFor()
  await picture(page, 'shown-link')
  await button('Done').click()
  await mailTo(lodge, email, 'password_reset')
  await page.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Delete customer…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill(email)
  await dialog.getByRole('button', { name: 'Delete customer' }).click()
  await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor()
  expect((await admin.call('GET /api/customers/{id}', { params: { id } })).status).toBe(404)
})

test('a note about a customer stands among their notes and on their summary', async () => {
  const customer = await stage.lodge.customer()
  await page.goto(`/admin/customers/${customer.id}/notes`)
  await page.getByRole('textbox', { name: 'Note' }).fill('Pays by invoice')
  await button('Add note').click()
  const notes = page.getByRole('list', { name: 'Notes, newest first' })
  await notes.getByText('Pays by invoice').waitFor()
  await picture(page, 'customer-note')
  await page.getByRole('link', { name: 'Summary', exact: true }).click()
  await page.getByText('Pays by invoice').waitFor()
})

test('the audit record shows the former value of a field', async () => {
  const { admin } = stage
  await beOn(browser, stage.lodge.origin, admin)
  const body = { email: 'renamed@example.com', name: 'Ada', password: 'a long enough password' }
  const { id } = await admin.must('POST /api/customers', { body })
  await admin.must('PATCH /api/customers/{id}', { params: { id }, body: { name: 'Grace' } })
  await page.goto('/admin/audit')
  await page
    .getByRole('button', { name: /^Details: .*changed the customer Ada/ })
    .first()
    .click()
  const change = page.getByRole('table', { name: 'What was changed' })
  await change.getByRole('row', { name: 'name Ada Grace' }).waitFor()
  await picture(page, 'audit-change')

  // On a phone, the lines of a wrapped button label are aligned with the first.
  await page.setViewportSize({ width: 390, height: 844 })
  const insets = await page
    .getByRole('dialog')
    .locator('dd')
    .filter({ has: page.getByRole('button', { name: /^Only this / }) })
    .evaluateAll((values) =>
      values.map((value) => {
        const button = [...value.querySelectorAll('button')].at(-1)!
        const words = document.createRange()
        words.selectNodeContents(button)
        const isWrapped =
          button.getBoundingClientRect().top >=
          value.firstElementChild!.getBoundingClientRect().top + button.offsetHeight / 2
        return isWrapped
          ? words.getBoundingClientRect().left - value.getBoundingClientRect().left
          : null
      }),
    )
  const wrapped = insets.filter((inset) => inset !== null)
  expect(wrapped.length).toBeGreaterThan(0)
  for (const inset of wrapped) expect(Math.abs(inset)).toBeLessThan(1)
  await page.setViewportSize({ width: 1280, height: 800 })
  await button('Only this object').click()
  await page.getByRole('button', { name: 'One object only' }).waitFor()
  await page.getByText('created the customer Ada').waitFor()
  await page.getByText('created the customer leaving').waitFor({ state: 'hidden' })
})

test('a node shows what is allocated and used, and its checks by name', async () => {
  await page.goto(`/admin/nodes/${stage.node.id}`)
  await page.getByText('Allocated', { exact: true }).first().waitFor()
  await picture(page, 'node')
  await page.setViewportSize({ width: 1280, height: 1600 })
  await picture(page, 'node-tall')
  expect(await page.getByText('container.console').count()).toBe(0)
  await page.getByRole('link', { name: /^Checks/ }).click()
  await page.getByRole('list', { name: 'Passed checks' }).waitFor()
  await picture(page, 'node-checks')
  expect(browser.faults).toEqual([])
})
