import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { PASSWORD as ADMIN_PASSWORD, type Lodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { codeOf, passkeyDevice } from '../support/authenticator.ts'
import { type Browser, openBrowser } from '../support/browser.ts'
import { startPanel } from '../support/panel.ts'
import { beOn, expectScreen } from '../support/visit.ts'

const PASSWORD = 'a quiet evening at the lake'
const NEWCOMER = 'newcomer@example.com'
const SUPPORT = 'support@example.com'

let lodge: Lodge
let admin: Caller
let browser: Browser
let page: Page
/** A recovery code of the person who was invited to the team. */
let supportCode = ''

beforeAll(async () => {
  lodge = await startPanel()
  admin = await lodge.admin()
  browser = await openBrowser(lodge.origin)
  page = browser.page
})

afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
})

const be = (person?: Caller) => beOn(browser, lodge.origin, person)
const button = (name: string | RegExp) => page.getByRole('button', { name })
const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name })
const field = (label: string) => page.getByLabel(label, { exact: true })

/**
 * Finds a mail in the panel, which stores it while no mail server is configured, and returns its
 * link.
 */
async function linkMailedTo(address: string, subject: RegExp): Promise<string> {
  await be(admin)
  await page.goto('/admin/email')
  await page
    .getByRole('row', { name: address })
    .filter({ hasText: subject })
    .getByRole('button', { name: /^Open/ })
    .click()
  const link = page.getByRole('dialog').getByRole('link', { name: 'Open' })
  const href = await link.getAttribute('href')
  if (href === null) throw new Error('the mail has no link')
  return href
}

async function enterPassword(email: string): Promise<void> {
  await be()
  await page.goto('/login')
  await field('E-mail').fill(email)
  await field('Password').fill(PASSWORD)
  await button('Continue').click()
}

test('somebody chooses a plan, signs up, finds the mail in the outbox, confirms, signs in and buys it', async () => {
  const settings = await admin.must('GET /api/settings/signup')
  const { provider, siteKey } = settings.captcha
  await admin.must('PUT /api/settings/signup', {
    body: { ...settings, mode: 'open', captcha: { provider, siteKey } },
  })
  await admin.must('POST /api/plans', {
    body: {
      ...{ name: 'Sapling', kind: 'account', visibility: 'public' },
      prices: [
        { cycle: 'monthly', amount: 500, currency: 'EUR' },
        { cycle: 'yearly', amount: 5000, currency: 'EUR' },
      ],
    },
  })
  await be()
  await page.goto('/store')
  await page.getByText('Yearly', { exact: true }).click()
  await page.getByRole('link', { name: 'Sign in to buy' }).click()
  await page.getByRole('link', { name: 'Create account' }).click()
  await heading('Create account').waitFor()
  await field('E-mail').fill(NEWCOMER)
  await field('Password').fill(PASSWORD)
  await button('Create account').click()
  await heading('Check your mail').waitFor()
  // The account is created a moment after the response, which is the same for every address.
  await until(async () => (await admin.must('GET /api/signup/pending')).items.length === 1)

  await enterPassword(NEWCOMER)
  await page.getByRole('alert').getByText('not confirmed').waitFor()

  const link = await linkMailedTo(NEWCOMER, /Confirm your address/)
  await be()
  await page.goto(link)
  await button('Confirm address').click()
  await heading('Address confirmed').waitFor()
  expect(page.url()).not.toContain('token')
  await page.getByRole('link', { name: 'Sign in' }).click()
  await heading('Sign in to Lodge').waitFor()
  await field('E-mail').fill(NEWCOMER)
  await field('Password').fill(PASSWORD)
  await button('Continue').click()
  const purchase = page.getByRole('dialog', { name: 'Buy Sapling' })
  await purchase.getByText('Paid yearly').waitFor()
  await purchase.getByRole('button', { name: 'Buy Sapling' }).click()
  await page.getByText('Waits for payment').waitFor()
})

test('an authenticator is set up with real codes, and required at sign-in', async () => {
  await page.goto('/account/security')
  await button('Set up').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('img', { name: /QR code/ }).waitFor()
  const secret = (await dialog.getByRole('code').textContent()) ?? ''
  // The code of the previous time step, so that the current one is unused at sign-in.
  await dialog.getByLabel('Code', { exact: true }).fill(await codeOf(secret, -1))
  await dialog.getByRole('button', { name: 'Confirm authenticator' }).click()
  await page.getByRole('dialog', { name: /recovery codes/ }).waitFor()
  await button('I saved them').click()
  await page.getByText('Set up', { exact: true }).waitFor()

  await enterPassword(NEWCOMER)
  await heading('Confirm that it’s you').waitFor()
  await field('Code').fill(await codeOf(secret))
  await button('Confirm').click()
  await heading('Servers').waitFor()
})

test('a passkey is named, registered and signs in, and the panel says why one was not', async () => {
  await using device = await passkeyDevice(page)
  await device.recognizes(false)
  await page.goto('/account/security')
  await button('Add passkey').click()
  const naming = page.getByRole('dialog', { name: 'Add passkey' })
  await naming.getByLabel('Name').fill('Work laptop')
  const add = naming.getByRole('button', { name: 'Add passkey' })
  await add.click()
  await naming.getByText(/^No passkey was added: you cancelled/).waitFor()
  await device.recognizes(true)
  await add.click()
  await page.getByRole('table', { name: 'Passkeys' }).getByText('Work laptop').waitFor()
  await button('Add passkey').click()
  await add.click()
  await naming.getByText(/^This device has a passkey for your account already/).waitFor()

  await enterPassword(NEWCOMER)
  await device.recognizes(false)
  await button('Use a passkey').click()
  await page.getByText(/^No passkey was used: you cancelled/).waitFor()
  await device.recognizes(true)
  // The second click must not ask again and so void the first.
  await button('Use a passkey').dblclick()
  await heading('Servers').waitFor()
})

test('a plan is created, chosen for an invitation, and assigned to the person who signs up with it', async () => {
  const settings = await admin.must('GET /api/settings/signup')
  const { provider, siteKey } = settings.captcha
  await admin.must('PUT /api/settings/signup', {
    body: { ...settings, mode: 'invitation', captcha: { provider, siteKey } },
  })
  await be(admin)
  await page.goto('/admin/plans')
  await page.getByRole('link', { name: 'New plan' }).click()
  await field('Name').fill('Season pass')
  await field('Servers, set here').fill('4')
  await field('Memory, set here').fill('12 GiB')
  await button('Create plan').click()
  await page.getByRole('heading', { level: 1, name: 'Season pass' }).waitFor()
  await page.goto('/admin/plans')
  await page.getByRole('cell', { name: 'Servers: 4, Memory: 12 GiB' }).waitFor()

  await page.goto('/admin/invites')
  await button('New invitation').click()
  await field('Note (optional)').fill('For the season')
  await page.getByRole('combobox', { name: 'Plan' }).click()
  await page.getByRole('option', { name: 'Season pass' }).click()
  await button('Create invitation').click()
  const link = await page.getByRole('region', { name: 'Link' }).textContent()
  await page
    .getByRole('row', { name: /For the season/ })
    .getByText('Season pass')
    .waitFor()

  await be()
  await page.goto(link ?? '')
  const email = 'season@example.com'
  await field('E-mail').fill(email)
  await field('Password').fill(PASSWORD)
  await button('Create account').click()
  await heading('Check your mail').waitFor()
  await until(async () => (await admin.must('GET /api/signup/pending')).items.length === 1)
  const confirmation = await linkMailedTo(email, /Confirm your address/)
  await be()
  await page.goto(confirmation)
  await button('Confirm address').click()
  await heading('Address confirmed').waitFor()

  await enterPassword(email)
  await heading('Servers').waitFor()
  await page.goto('/account/limits')
  const servers = page.getByRole('row', { name: /^Servers/ })
  await servers.getByText('0 of 4').waitFor()
  await servers.getByText('Season pass').waitFor()
})

test('limits that an administrator sets by hand are shown to the customer with their origin', async () => {
  await be(admin)
  await page.goto('/admin/customers')
  await page.getByRole('searchbox', { name: 'Search customers' }).fill('newcomer')
  await page.waitForURL(/q=newcomer/)
  await page.getByRole('link', { name: NEWCOMER }).click()
  await page.getByRole('link', { name: 'Limits' }).click()
  await field('Servers, set here').fill('7')
  await field('Memory, set here').fill('plenty')
  await button('Save limits').click()
  await page.getByText('Enter a value like 4 GiB, or “unlimited”').waitFor()
  await field('Memory, set here').fill('6 GiB')
  await button('Save limits').click()
  const memory = page.getByRole('row', { name: /^Memory/ })
  await memory.getByText('set by the host').waitFor()

  const { items } = await admin.must('GET /api/customers', { query: { q: NEWCOMER } })
  await be(await lodge.session(items[0]?.id ?? ''))
  await page.goto('/account/limits')
  const servers = page.getByRole('row', { name: /^Servers/ })
  await servers.getByText('0 of 7').waitFor()
  await servers.getByText('set by the host').waitFor()
  await page
    .getByRole('row', { name: /^Memory/ })
    .getByText('of 6 GiB')
    .first()
    .waitFor()
})

test('a notification arrives in its reader’s open panel without a reload, and is marked as read in every tab simultaneously', async () => {
  const email = 'reader@example.com'
  const { id } = await admin.must('POST /api/customers', { body: { email, password: PASSWORD } })
  await be(await lodge.session(id, email))
  await page.goto('/account')
  await button('Notifications').waitFor()
  for (const address of ['198.51.100.7', '203.0.113.9'])
    await lodge
      .anonymous({ address })
      .must('POST /api/auth/login', { body: { email, password: PASSWORD } })
  const beside = await browser.context.newPage()
  await beside.goto('/account')
  await beside.getByRole('button', { name: /1 unread notification/ }).waitFor()
  await button(/1 unread notification/).click()
  await page.getByRole('dialog').getByText('Sign-in from a new device').waitFor()
  await button('Mark as read: Sign-in from a new device').click()
  await button(/^Notifications$/).waitFor()
  await beside.getByRole('button', { name: /^Notifications$/ }).waitFor()
  await beside.close()
})

test('the preview shows how a mail’s wording will look, and runs no scripts', async () => {
  await be(admin)
  await page.goto('/admin/email/templates')
  await page.getByRole('link', { name: 'Invitation of a new customer' }).click()
  const mail = page.frameLocator('iframe[title="Mail as HTML"]')
  await mail.getByRole('link', { name: 'Choose a password' }).waitFor()
  await field('Subject').fill('Welcome, {{ user.name }}')
  await mail.getByRole('heading', { name: 'Welcome, Sam' }).waitFor()
  await page.getByRole('switch', { name: /^Custom HTML/ }).click()
  await page.getByRole('textbox', { name: 'HTML' }).fill('<p onclick="1">Hi</p>')
  await page.getByText('must not hold programs').first().waitFor()
  await page.getByRole('textbox', { name: 'HTML' }).fill('<p>Hi {{ user.name }}</p>')
  await mail.getByText('Hi Sam').waitFor()
  await button('Save template').click()
  await page.getByText('Customized').waitFor()
  expect(browser.faults).toEqual([])
})

test('an invitation to the team needs a step-up, and the invited person sets up a second factor first', async () => {
  await be(admin)
  await lodge.database.pool.query('update sessions set proved_at = null where user_id = $1', [
    admin.id,
  ])
  await page.goto('/admin/team')
  await button('Invite administrator').click()
  const dialog = page.getByRole('dialog', { name: 'Invite administrator' })
  await dialog.getByLabel('E-mail').fill(SUPPORT)
  await dialog.getByRole('combobox', { name: 'Preset' }).click()
  await page.getByRole('option', { name: 'Support agent' }).click()
  await dialog.getByRole('button', { name: 'Send invitation' }).click()

  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await proof.getByLabel('Your password', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await dialog.getByText('Confirm your identity', { exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'Send invitation' }).click()
  await proof.getByLabel('Your password', { exact: true }).fill(ADMIN_PASSWORD)
  await proof.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText('No mail was sent').waitFor()
  await button('Done').click()
  await page.getByRole('row', { name: SUPPORT }).getByText('Invited').waitFor()

  const link = await linkMailedTo(SUPPORT, /invited to the team/)
  await be()
  await using _device = await passkeyDevice(page)
  await page.goto(link)
  await field('Password').fill(PASSWORD)
  await button('Set password').click()
  await heading('Set up a second factor').waitFor()
  await button('Use a passkey').click()
  await heading('Save your recovery codes').waitFor()
  const codes = await page.getByRole('region', { name: 'recovery codes' }).textContent()
  supportCode = codes?.trim().split(/\s+/)[0] ?? ''
  await button('I saved them').click()
  const navigation = page.getByRole('navigation', { name: 'Main' })
  await navigation.getByRole('link', { name: 'Customers' }).waitFor()
  expect(await navigation.getByRole('link', { name: 'Audit' }).count()).toBe(0)
})

test('a suspended person sees why the open panel closed, can sign out, and continues once it is lifted', async () => {
  const email = 'suspended@example.com'
  const { id } = await admin.must('POST /api/customers', { body: { email, password: PASSWORD } })
  await enterPassword(email)
  await heading('Servers').waitFor()
  await admin.must('POST /api/customers/{id}/suspend', {
    params: { id },
    body: { reasonCode: 'terms', publicReason: 'Please read our terms' },
  })
  await heading('Your account is suspended').waitFor()
  await page.getByText('Please read our terms').waitFor()
  expect(new URL(page.url()).pathname).toBe('/servers')
  await expectScreen(browser, 'suspended', '/jobs')

  await button('Sign out').click()
  await heading('Sign in to Lodge').waitFor()
  await enterPassword(email)
  await heading('Your account is suspended').waitFor()
  // Another window with a faster clock: the page polls only now and then whether the suspension is
  // over.
  const later = await browser.context.newPage()
  const title = (name: string) => later.getByRole('heading', { level: 1, name })
  await later.clock.install()
  await later.goto('/jobs')
  await title('Your account is suspended').waitFor()
  await admin.must('DELETE /api/customers/{id}/suspension', { params: { id }, query: {} })
  await later.clock.fastForward(20_000)
  await title('Jobs').waitFor()
  await later.close()
  expect(browser.faults).toEqual([])
})

test('the role of the super administrator is transferred when both sides have confirmed it', async () => {
  const { secret } = await admin.must('POST /api/auth/totp/setup')
  await admin.must('POST /api/auth/totp/confirm', { body: { code: await codeOf(secret, -1) } })
  await be(admin)
  await page.goto('/admin/team')
  await button(`More actions for ${SUPPORT}`).click()
  await page.getByRole('menuitem', { name: 'Transfer super administrator…' }).click()
  await field('Your password').fill(ADMIN_PASSWORD)
  await page.getByRole('textbox', { name: 'Code' }).fill(await codeOf(secret))
  await button('Request transfer').click()
  await page.getByText('Link sent').waitFor()

  const link = await linkMailedTo(SUPPORT, /super administrator/)
  const { items } = await admin.must('GET /api/team')
  const support = items.find(({ email }) => email === SUPPORT)
  await be(await lodge.session(support?.id ?? '', SUPPORT))
  await page.goto(link)
  await field('Your password').fill(PASSWORD)
  await page.getByRole('textbox', { name: 'Code' }).fill(supportCode)
  await button('Accept role').click()
  await page.getByText('You are the super administrator now').waitFor()
  await page.getByRole('link', { name: 'View team' }).click()
  await page
    .getByRole('row', { name: SUPPORT })
    .getByText('Super administrator', { exact: true })
    .waitFor()
  expect(browser.faults).toEqual([])
})
