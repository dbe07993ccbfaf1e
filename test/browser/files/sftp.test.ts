import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FileWorld, fileWorld } from '../../api/files/world.ts'
import { Machine } from '../../api/sftp/client.ts'
import { sshPublicKey } from '../../support/ssh-public-key.ts'
import { type Browser, openBrowser } from '../support/browser.ts'
import { startPanel } from '../support/panel.ts'
import { beOn, expectReadableInTurn, openScreen } from '../support/visit.ts'

let world: FileWorld
let browser: Browser
let page: Page

beforeAll(async () => {
  world = await fileWorld(({ environment }) => startPanel({ ...environment, LODGE_SFTP: 'true' }))
  browser = await openBrowser(world.lodge.origin)
  page = browser.page
  await beOn(browser, world.lodge.origin, world.owner)
})

afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await world?.[Symbol.asyncDispose]()
})

test('the Files tab shows how to connect, and its password and address work in a client', async () => {
  await openScreen(browser, `/servers/${world.serverId}/files`)
  await page.getByRole('button', { name: 'SFTP' }).click()
  const dialog = page.getByRole('dialog', { name: 'SFTP' })
  await dialog.getByText('You have no SFTP password').waitFor()
  await expectReadableInTurn(browser, 'files-sftp')
  await dialog.getByRole('button', { name: 'Create password' }).click()
  const read = async (label: string): Promise<string> =>
    (await dialog.getByLabel(label, { exact: true }).textContent())?.trim() ?? ''
  const password = await read('Password')
  await expectReadableInTurn(browser, 'files-sftp-password')
  const command = await read('Command')
  const [, port, userName = '', host] = /^sftp -P (\d+) (.+)@(.+)$/.exec(command) ?? []
  expect(host).toBe(new URL(page.url()).hostname)
  await using machine = await Machine.open(() => Number(port))
  const said = await machine.sftp(userName, ['mkdir by-sftp'], { password })
  expect(said.ok).toBe(true)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'SFTP' }).waitFor()
})

test('an SSH key is added and removed on the page of the account', async () => {
  await openScreen(browser, '/account/keys')
  await page.getByText('There is no key yet.').waitFor()
  await page.getByLabel('Name').fill('My laptop')
  await page.getByLabel('Public key').fill('not a key')
  await page.getByRole('button', { name: 'Add key' }).click()
  await page.getByText('is not a public key of SSH').first().waitFor()
  await page.getByLabel('Public key').fill(sshPublicKey())
  await page.getByRole('button', { name: 'Add key' }).click()
  await page.getByText('SHA256:').waitFor()
  await expectReadableInTurn(browser, 'account-keys')
  await page.getByRole('button', { name: 'Remove…' }).click()
  await page.getByRole('button', { name: 'Remove key' }).click()
  await page.getByText('There is no key yet.').waitFor()
})
