import { expect } from 'vitest'
import { addressOf, createServer, openServer, type World } from '../world.ts'

/** Creates a website from its template. Its image is built from packages in the background. */
export async function containerServer({ admin: { page }, panel }: World): Promise<void> {
  await page.goto(`${panel}/setup/server`)
  await createServer(page, /Static website/, 'Under the hill')
}

/** The website runs, and a visitor opens it. */
export async function website({ admin: { page }, panel, desk }: World): Promise<void> {
  await openServer(page, panel, 'Under the hill')
  await page.getByText('Running', { exact: true }).first().waitFor({ timeout: 300_000 })
  const visitor = await desk.person()
  await visitor.goto(`http://${await addressOf(page, panel)}/`)
  expect(await visitor.locator('body').textContent()).toContain('It works')
  await visitor.close()
}
