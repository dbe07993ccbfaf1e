import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { mailsOf } from '../../../control-plane/src/domain.ts'
import { modules } from '../../../control-plane/src/modules.ts'
import { Receiver } from '../../api/notifications/receiver.ts'
import type { Caller } from '../../support/caller.ts'
import { receivedMail } from '../../support/read-mail.ts'
import { SmtpSink } from '../../support/smtp-sink.ts'
import { sshPublicKey } from '../../support/ssh-public-key.ts'
import { type JoinedNode, type Lodge, PASSWORD } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { codeOf } from '../support/authenticator.ts'
import { type Browser, openBrowser } from '../support/browser.ts'
import { startPanel } from '../support/panel.ts'
import { beOn } from '../support/visit.ts'
import { billingMails } from './billing-mails.ts'
import { channelMails } from './channel-mails.ts'
import { limitMails } from './limit-mails.ts'
import { serverMails } from './server-mails.ts'
import { signUpMails } from './sign-up-mails.ts'
import { suspensionMails } from './suspension-mails.ts'
import { ticketMails } from './ticket-mails.ts'

const MAILS = mailsOf(modules)
const NEW_PASSWORD = 'a quiet evening at the lake'

let lodge: Lodge
let admin: Caller
let node: JoinedNode
let templateId: string
let sink: SmtpSink
let receiver: Receiver
let browser: Browser
let page: Page

beforeAll(async () => {
  sink = await new SmtpSink().listen()
  receiver = await new Receiver().listen()
  lodge = await startPanel({ LODGE_CHANNEL_HOSTS: receiver.host })
  admin = await lodge.admin()
  await admin.must('PUT /api/settings/mail', { body: sink.settings })
  node = await lodge.node()
  templateId = (await lodge.template()).id
  browser = await openBrowser(lodge.origin)
  page = browser.page
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
  await sink?.[Symbol.asyncDispose]()
  await receiver?.[Symbol.asyncDispose]()
})
beforeEach(async () => {
  await lodge.database.pool.query('truncate rate_limits')
  await be()
})

const be = (person?: Caller) => beOn(browser, lodge.origin, person)
const button = (name: string | RegExp) => page.getByRole('button', { name })
const heading = (name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name, exact: true })
const field = (label: string) => page.getByLabel(label, { exact: true })
const address = () => `person-${randomUUID().slice(0, 8)}@example.com`

/** Opens the newest such mail as a mail program shows it, and clicks its link. */
async function follow(to: string, template: string): Promise<void> {
  const kind = MAILS.find(({ id }) => id === template)
  if (!kind) throw new Error(`No mail is called ${template}`)
  const { title } = kind
  const subject = new RegExp(kind.subject.replaceAll(/\{\{.*?\}\}/g, '.*').replaceAll('?', '\\?'))
  const mail = await receivedMail(sink, to, subject)
  await page.goto('about:blank')
  await page.setContent(mail.html)
  const link = page.locator('a.button')
  expect(await link.count(), `${title} has one button`).toBe(1)
  expect(mail.text, 'the text says the same').toContain(await link.getAttribute('href'))
  await link.click()
  await page.waitForURL((url) => url.origin === lodge.origin)
}

async function person(): Promise<Caller> {
  const email = address()
  const { id } = await admin.must('POST /api/customers', { body: { email, password: PASSWORD } })
  return lodge.session(id, email)
}

async function signIn(email: string, password = PASSWORD): Promise<void> {
  await heading('Sign in to Lodge').waitFor()
  await field('E-mail').fill(email)
  await field('Password').fill(password)
  await button('Continue').click()
}

/** Chooses a password through the link that is open. */
async function choosePassword(): Promise<void> {
  await field('Password').fill(NEW_PASSWORD)
  await button('Set password').click()
  await heading('Servers').waitFor()
}

/** A new customer who followed their invitation, and its link. */
async function invited(): Promise<{ email: string; link: string }> {
  const email = address()
  await admin.must('POST /api/customers', { body: { email } })
  await follow(email, 'invitation')
  const link = page.url()
  await page.getByText(`sign in as ${email}`).waitFor()
  await choosePassword()
  return { email, link }
}

/** Somebody who forgot their password and chose another one. */
async function forgetful(): Promise<string> {
  const { email } = await person()
  await lodge.anonymous().must('POST /api/auth/forgot', { body: { email } })
  await follow(email, 'password_reset')
  await choosePassword()
  return email
}

async function withFactor(caller: Caller): Promise<readonly string[]> {
  const { secret } = await caller.must('POST /api/auth/totp/setup')
  const code = await codeOf(secret)
  return (await caller.must('POST /api/auth/totp/confirm', { body: { code } })).recoveryCodes
}

async function share(email: string, invite = false): Promise<string> {
  const owner = await person()
  const name = `Under the hill ${randomUUID().slice(0, 4)}`
  const placed = { templateId, nodeId: node.id, start: false }
  const id = await lodge.server({ name, ownerId: owner.id, ...placed })
  await owner.must('POST /api/servers/{id}/collaborators', {
    params: { id },
    body: { email, permissions: ['console.read'], invite },
  })
  return name
}

/** For each kind of mail with a link: how it is triggered, and where its link must lead. */
const FOLLOWED: Readonly<Record<string, () => Promise<void>>> = {
  email_change: async () => {
    const caller = await person()
    const fresh = address()
    await caller.must('POST /api/auth/email', { body: { email: fresh, password: PASSWORD } })
    await follow(fresh, 'email_change')
    await button('Use this address').click()
    await heading('Address changed').waitFor()
    await page.getByRole('link', { name: 'Open the panel' }).click()
    await signIn(fresh)
    await heading('Servers').waitFor()
  },
  email_changed: async () => {
    const caller = await person()
    const fresh = address()
    await caller.must('POST /api/auth/email', { body: { email: fresh, password: PASSWORD } })
    await follow(fresh, 'email_change')
    await button('Use this address').click()
    await heading('Address changed').waitFor()
    await follow(caller.email, 'email_changed')
    await field('New password').fill(NEW_PASSWORD)
    await button('Restore address').click()
    await signIn(caller.email, NEW_PASSWORD)
    await heading('Servers').waitFor()
  },
  invitation: async () => {
    const { link } = await invited()
    await page.goto('about:blank')
    await page.goto(link)
    await page.getByText('This link no longer works').waitFor()
    expect(await field('Password').count()).toBe(0)
    await page.getByRole('link', { name: 'Sign in' }).waitFor()
  },
  welcome: async () => {
    const { email } = await invited()
    await be()
    await follow(email, 'welcome')
    await signIn(email, NEW_PASSWORD)
    await heading('Servers').waitFor()
  },
  password_reset: async () => {
    await forgetful()
  },
  password_changed: async () => {
    const email = await forgetful()
    await be()
    await follow(email, 'password_changed')
    await heading('Forgot your password?').waitFor()
  },
  new_device: async () => {
    const { email } = await person()
    for (const from of ['198.51.100.7', '203.0.113.9'])
      await lodge
        .anonymous({ address: from })
        .must('POST /api/auth/login', { body: { email, password: PASSWORD } })
    await follow(email, 'new_device')
    await heading('Forgot your password?').waitFor()
  },
  second_factor_changed: async () => {
    const caller = await person()
    await withFactor(caller)
    await follow(caller.email, 'second_factor_changed')
    await heading('Forgot your password?').waitFor()
  },
  ssh_key_added: async () => {
    const caller = await person()
    const body = { name: 'My laptop', publicKey: sshPublicKey() }
    await caller.must('POST /api/account/ssh-keys', { body })
    await follow(caller.email, 'ssh_key_added')
    await heading('Forgot your password?').waitFor()
  },
  recovery_code_used: async () => {
    const caller = await person()
    const [recoveryCode = ''] = await withFactor(caller)
    const { email } = caller
    const body = { email, recoveryCode, password: NEW_PASSWORD }
    await lodge.anonymous().must('POST /api/auth/recover', { body })
    await follow(email, 'recovery_code_used')
    await heading('Forgot your password?').waitFor()
  },
  team_invite: async () => {
    const email = address()
    await admin.must('POST /api/team', { body: { email, permissions: ['servers.view'] } })
    await follow(email, 'team_invite')
    await field('Password').fill(NEW_PASSWORD)
    await button('Set password').click()
    await heading('Set up a second factor').waitFor()
  },
  team_transfer: async () => {
    const { secret } = await admin.must('POST /api/auth/totp/setup')
    await admin.must('POST /api/auth/totp/confirm', { body: { code: await codeOf(secret, -1) } })
    const chosen = await lodge.limitedAdmin(['servers.view'])
    await withFactor(chosen)
    await admin.must('POST /api/team/transfer', {
      body: { userId: chosen.id, password: PASSWORD, code: await codeOf(secret) },
    })
    await be(chosen)
    await follow(chosen.email, 'team_transfer')
    await heading('Become the super administrator').waitFor()
    await button('Accept role').waitFor()
  },
  collaborator_invite: async () => {
    const guest = await person()
    const server = await share(guest.email)
    await be(guest)
    await follow(guest.email, 'collaborator_invite')
    await button('Accept and open server').click()
    await heading(server).waitFor()
  },
  ...signUpMails(() => ({ lodge, admin, page, follow, signIn })),
  ...limitMails(() => ({ lodge, admin, page, templateId, node, person, be, follow, signIn })),
  ...serverMails(() => ({ lodge, admin, page, templateId, node, person, be, follow })),
  ...suspensionMails(() => ({ lodge, admin, page, be, follow })),
  ...billingMails(() => ({ lodge, admin, page, be, follow })),
  ...ticketMails(() => ({ lodge, admin, page, be, follow })),
  ...channelMails(() => ({ sink, receiver, page, person, be, follow })),
  test: async () => {
    await admin.must('POST /api/settings/mail/test')
    await be(admin)
    await follow(admin.email, 'test')
    await heading('Overview').waitFor()
  },
}

test('every kind of mail with a link is followed below', () => {
  const linked = MAILS.filter(({ body }) => /\{\{ (link|url) \}\}/.test(body)).map(({ id }) => id)
  expect(Object.keys(FOLLOWED).sort()).toEqual(linked.sort())
  for (const { id, body } of MAILS)
    expect(body, `${id} writes an address by hand`).not.toMatch(/\{\{ panel\.url/)
})

test.each(Object.entries(FOLLOWED))(
  'the link of the mail %s leads to its page',
  async (_id, run) => {
    await run()
    expect(browser.faults).toEqual([])
  },
)

test('a shared server is accepted by somebody without an account, who can use it immediately', async () => {
  const email = address()
  const server = await share(email, true)
  await follow(email, 'collaborator_invite')
  await page.getByText('You may: Read the console', { exact: false }).waitFor()
  await button('Create account and accept').waitFor()
  await field('Your name (optional)').fill('Sam')
  await field('Password').fill(NEW_PASSWORD)
  await button('Create account and accept').click()
  await heading(server).waitFor()
  expect(page.url()).not.toContain('token')
})

test('a shared server is accepted by a signed-out customer, and opens after sign-in', async () => {
  const guest = await person()
  const server = await share(guest.email)
  await follow(guest.email, 'collaborator_invite')
  await button('Accept and sign in').click()
  await signIn(guest.email)
  await heading(server).waitFor()
})

test('a link for another account grants nothing to the signed-in one, and explains why', async () => {
  const guest = await person()
  const other = await person()
  const server = await share(guest.email)
  await be(other)
  await follow(guest.email, 'collaborator_invite')
  await page.getByText(`You are signed in as ${other.email}`).waitFor()
  await button('Sign out and continue').click()
  await button('Accept and sign in').click()
  await signIn(guest.email)
  await heading(server).waitFor()
  expect((await other.call('GET /api/auth/me')).status).toBe(401)
})

test('a used link explains that it was used, and the panel still lists the invitation', async () => {
  const guest = await person()
  await share(guest.email)
  await be(guest)
  await follow(guest.email, 'collaborator_invite')
  const used = page.url()
  await button('Accept and open server').click()
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  await page.goto('about:blank')
  await page.goto(used)
  await page.getByText('This link no longer works').waitFor()
})

test('a customer finds invitations above their servers without any mail, accepts one and declines the other', async () => {
  const guest = await person()
  await be(guest)
  await page.goto('/servers')
  await heading('Servers').waitFor()
  const kept = await share(guest.email)
  const unwanted = await share(guest.email)
  await button(`Accept ${kept}`).waitFor()
  await button(`Decline ${unwanted}`).click()
  await button(`Decline ${unwanted}`).waitFor({ state: 'detached' })
  await button(`Accept ${kept}`).click()
  await heading(kept).waitFor()
  const { items } = await guest.must('GET /api/servers')
  expect(items.map(({ name }) => name)).toEqual([kept])
})

test('every notification leads to an existing page', async () => {
  const { rows } = await lodge.database.pool.query<{ link: string; role: string; user_id: string }>(
    `select distinct on (regexp_replace(link, '[0-9a-f-]{36}', '')) link, role, user_id
     from notifications join users on users.id = user_id where link is not null`,
  )
  expect(rows.length).toBeGreaterThan(3)
  for (const { link, user_id } of rows) {
    await be(await lodge.session(user_id))
    await page.goto(link)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await until(async () => (await page.getByText('Loading', { exact: true }).count()) === 0)
    expect(await page.getByText('There is nothing at this address').count(), link).toBe(0)
  }
  expect(browser.faults).toEqual([])
})
