import { afterAll, beforeAll, expect, test } from 'vitest'
import { samplePackage } from '../../support/plugin.ts'
import type { Lodge } from '../../support/stack.ts'
import { type Browser, openBrowser, picture } from '../support/browser.ts'
import { startPanel } from '../support/panel.ts'
import { beOn, expectReadableInTurn } from '../support/visit.ts'

let lodge: Lodge
let browser: Browser
beforeAll(async () => {
  lodge = await startPanel()
  browser = await openBrowser(lodge.origin)
  await beOn(browser, lodge.origin, await lodge.admin())
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
})

test('a plugin is described, accepted, set up, turned on, checked and removed', async () => {
  const { page } = browser
  await page.goto('/admin/plugins')
  await page.getByText('No plugin is installed').waitFor()
  await page.getByRole('button', { name: 'Install Bank transfer' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('it receives names and email addresses').waitFor()
  const install = dialog.getByRole('button', { name: 'Install' })
  expect(await install.getAttribute('aria-disabled')).toBe('true')
  await dialog.getByLabel('I accept these permissions').check()
  await install.click()
  await page.getByRole('heading', { name: 'Bank transfer' }).waitFor()
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByText('Fill in its settings first').waitFor()
  await page.getByLabel('Instructions').fill('Send {{amount}} to our account')
  await page.getByRole('button', { name: 'Save settings' }).click()
  await page.getByText('Settings saved').waitFor()
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByText('Turned on: Bank transfer').waitFor()
  await page.getByRole('button', { name: 'Check' }).click()
  await page.getByText(/It works/).waitFor()
  await page.getByRole('button', { name: 'More actions for Bank transfer' }).click()
  await page.getByRole('menuitem', { name: 'Uninstall' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Uninstall' }).click()
  await page.getByText('No plugin is installed').waitFor()
})

test('an unsigned uploaded package is installed only with a confirmation', async () => {
  const { page } = browser
  const main = `export default (host) => ({ event: { happened() {} }, health() { console.log('asked'); console.warn('careful'); return { ok: true, message: 'Hello' } } })`
  const form = {
    type: 'object',
    properties: {
      token: {
        type: 'string',
        title: 'Token',
        secret: true,
        description: 'From your account there.',
      },
      room: { type: 'string', title: 'Room', enum: ['general', 'alerts'], default: 'alerts' },
      most: { type: 'integer', title: 'Most messages', default: 5, minimum: 1 },
      quiet: { type: 'boolean', title: 'Quiet at night', default: true },
    },
  }
  const given = {
    ...{ id: 'chat', name: 'Chat', publisher: 'Somebody else', settings: form },
    permissions: ['network:chat.example.com', 'events.read:node.offline', 'storage'],
    description: 'Tells a chat when a node is offline.',
  }
  await page.getByLabel('Package').setInputFiles({
    ...{ name: 'chat.tgz', mimeType: 'application/gzip' },
    buffer: samplePackage(given, main),
  })
  const dialog = page.getByRole('dialog')
  await dialog.getByText('This package has no trusted signature').waitFor()
  await dialog.getByText('Send data to chat.example.com').waitFor()
  await dialog.getByLabel('I accept these permissions').check()
  await dialog.getByLabel('Install it anyway').check()
  await dialog.getByRole('button', { name: 'Install' }).click()
  await page.getByRole('heading', { name: /^Chat / }).waitFor()
  await page.getByRole('button', { name: 'Check' }).click()
  await page.getByText('asked').waitFor()
  await page.getByLabel('Token').fill('hidden')
  await page.getByRole('button', { name: 'Save settings' }).click()
  await page.getByText('Set. Type to replace it.').waitFor()
  // Leaving with unsaved settings asks first, and what a colleague saves meanwhile stays.
  const admin = await lodge.admin()
  await page.getByLabel('Most messages').fill('7')
  await page.getByRole('link', { name: 'Nodes', exact: true }).first().click()
  const question = page.getByRole('dialog', { name: 'Discard changes?' })
  await question.getByText('1 change: Most messages').waitFor()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await admin.must('PUT /api/plugins/{plugin}/settings', {
    ...{ params: { plugin: 'chat' }, body: { settings: { room: 'general' } } },
  })
  await page.getByRole('button', { name: 'Save settings' }).click()
  const room = page.getByRole('combobox', { name: 'Room' })
  await expect.poll(() => room.inputValue()).toBe('general')
  const { settings } = await admin.must('GET /api/plugins/{plugin}', { params: { plugin: 'chat' } })
  expect(settings).toEqual({ room: 'general', most: 7, quiet: true })
  const next = {
    ...given,
    version: '1.1.0',
    permissions: [...given.permissions, 'events.read:node.online'],
  }
  await admin.must('POST /api/plugins/{plugin}/update', {
    params: { plugin: 'chat' },
    body: { package: samplePackage(next, main).toString('base64'), acceptUnsigned: true },
  })
  await page.reload()
  await page.getByText('Version 1.1.0 wants more permissions').waitFor()
  await page.getByRole('button', { name: 'Accept and update' }).click()
  await page.getByText('Updated: Chat').waitFor()
  await page.getByRole('button', { name: 'More actions for Chat' }).click()
  await page.getByRole('menuitem', { name: 'Return to 1.0.0' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Return to 1.0.0' }).click()
  await page.getByText('Version 1.0.0 is back').waitFor()
  await expectReadableInTurn(browser, 'plugin')
  await page.goto('/admin/plugins')
  await page.getByRole('link', { name: 'Chat' }).waitFor()
  await expectReadableInTurn(browser, 'plugins')
})

test('a file is shown as being scanned, becomes a link once it is clean, and says why it was refused', async () => {
  const { page } = browser
  const admin = await lodge.admin()
  const customer = await lodge.customer()
  const main = `let asked = 0
    export default () => ({ scanner: { scan({ name }) {
      if (++asked === 1) throw new Error('not now')
      return name === 'worm.txt' ? { verdict: 'infected', why: 'It is a worm' } : { verdict: 'clean' }
    } } })`
  const about = { id: 'scanner', kinds: ['scanner'], permissions: ['attachments.scan'] } as const
  const packed = samplePackage(about as never, main).toString('base64')
  const accepted = { acceptPermissions: true as const, acceptUnsigned: true }
  await admin.must('POST /api/plugins', {
    body: { source: 'upload', package: packed, ...accepted },
  })
  const upload = async (name: string, text: string) => {
    const answer = await customer.send({
      method: 'POST',
      url: `/api/support/tickets/new/attachments?name=${name}`,
      headers: { 'content-type': 'application/octet-stream' },
      payload: Buffer.from(text),
    })
    return answer.json<{ id: string }>().id
  }
  const held = await upload('held.txt', 'hello')
  const body = { subject: 'Two files', bodyMarkdown: 'Look', attachments: [held] }
  const { id } = await customer.must('POST /api/support/tickets', { body })
  await beOn(browser, lodge.origin, customer)
  await page.goto(`/support/${id}`)
  const files = page.getByRole('list', { name: 'Attached files' })
  await files.getByText('Being scanned').waitFor()
  expect(await files.getByRole('link').count()).toBe(0)
  const failed = () =>
    lodge.database.pool.query(
      `select from attachment_scans where attempts = 1 and due_at < now() + interval '70 seconds'`,
    )
  await expect.poll(async () => (await failed()).rowCount).toBe(1)
  // Moves it a minute into the past.
  await lodge.database.pool.query('update attachment_scans set due_at = now()')
  await files.getByRole('link', { name: 'held.txt' }).waitFor()
  const worm = await upload('worm.txt', 'hello')
  await customer.must('POST /api/support/tickets/{id}/messages', {
    params: { id },
    body: { bodyMarkdown: 'And this', attachments: [worm] },
  })
  const message = page.getByRole('listitem').filter({ hasText: 'And this' })
  await message.getByText('Refused by a scanner').waitFor()
  await message.getByText('It is a worm').waitFor()
  expect(await message.getByRole('link').count()).toBe(0)
  await expectReadableInTurn(browser, 'scanned-files')
  await picture(page, 'scanned-files')
})
