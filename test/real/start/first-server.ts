import { expect } from 'vitest'
import { type Browser, expectAccessible, picture } from '../../browser/support/browser.ts'
import { until } from '../../support/processes.ts'
import { ACCOUNT } from './lodge.ts'
import { answersLuanti } from './luanti.ts'

/**
 * The first actions of a person at an empty panel, up to a game server that was played on and
 * stopped.
 */
export async function firstServer(browser: Browser): Promise<void> {
  const { page } = browser

  // The first administrator.
  await page.goto('/')
  await page.getByRole('heading', { name: 'Set up Lodge' }).waitFor()
  await expectAccessible(page)
  await picture(page, 'set-up')
  await page.getByLabel('E-mail').fill(ACCOUNT.email)
  await page.getByLabel('Password', { exact: true }).fill(ACCOUNT.password)
  await page.getByRole('button', { name: 'Create administrator' }).click()

  // This machine is already a node.
  const next = page.getByRole('link', { name: 'Create first server' })
  await next.and(page.locator(':not([aria-disabled])')).waitFor()
  await expectAccessible(page)
  await picture(page, 'first-node')
  await next.click()

  // A Luanti server from its template.
  await page.getByRole('radio', { name: /Luanti/ }).press('Space')
  await page.getByLabel('Name').fill('Under the hill')
  await expectAccessible(page)
  await picture(page, 'first-server')
  await page.getByRole('button', { name: 'Create server' }).click()

  // It opens the console and shows the start.
  await page.getByRole('heading', { level: 1, name: 'Under the hill' }).waitFor()
  await picture(page, 'console-installing')
  // Its image is built first, so "Running" alone may be the job of the build.
  await page
    .locator('.xterm-rows')
    .getByText(/listening|Server for gameid/i)
    .first()
    .waitFor({ timeout: 900_000 })
  await page.getByText('Running', { exact: true }).first().waitFor()
  await page
    .getByText(/\d\S*( MiB)? of 512 MiB/)
    .first()
    .waitFor()
  await expectAccessible(page)
  await picture(page, 'console')

  // Players can connect.
  const servers = await page.evaluate(async () => (await fetch('/api/servers')).json())
  const { id, port } = servers.items[0]
  expect(await answersLuanti(port)).toBe(true)

  // A command reaches the game, and its output is shown.
  await page.getByLabel('Command').fill('players')
  await page.getByRole('button', { name: 'Send' }).click()
  const console = page.locator('.xterm-rows')
  await console.getByText('> players').first().waitFor()
  await console.getByText('Nobody is here.').first().waitFor()

  // Its CPU time and memory are shown.
  await page.getByRole('link', { name: 'Overview', exact: true }).last().click()
  await until(async () => {
    // A request fails when the networks of the machine change, as they do with every container.
    const server = await page
      .evaluate(async (id) => (await fetch(`/api/servers/${id}`)).json(), id)
      .catch(() => undefined)
    return (server?.usage?.memoryBytes ?? 0) > 1_000_000 || undefined
  })
  await picture(page, 'server-overview')
  await expectAccessible(page)

  // Stop works, and the port is closed.
  await page.getByRole('button', { name: 'Stop', exact: true }).first().click()
  await page.getByRole('button', { name: 'Stop server', exact: true }).click()
  await page.getByText('Stopped', { exact: true }).first().waitFor()
  expect(await answersLuanti(port)).toBe(false)

  expect(browser.faults).toEqual([])
}
