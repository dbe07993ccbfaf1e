import { expect } from 'vitest'
import { button, heading, makeServer, type World } from '../world.ts'

/** The host lets customers create servers from a template, and one does. */
export async function selfService(world: World): Promise<void> {
  const { admin, customer, panel } = world
  const { page } = admin
  await page.goto(`${panel}/admin/settings/self-service`)
  await page.getByRole('radio', { name: /Every customer/ }).press('Space')
  await button(page, 'Save settings').click()
  await page.getByText('Self-service saved').first().waitFor()
  await page.goto(`${panel}/admin/templates`)
  await page.getByRole('link', { name: 'Static website' }).first().click()
  await page.getByRole('switch', { name: /^Customers may choose it/ }).click()
  await button(page, 'Save store entry').click()
  await page.getByText('Store entry saved').first().waitFor()

  await customer.page.goto(`${panel}/servers`)
  await customer.page.getByRole('link', { name: 'New server' }).first().click()
  // Beside a virtual machine, a small node has no more memory left.
  await makeServer(customer.page, /Static website/, 'My own place', '25 %')
  await customer.page.goto(`${panel}/servers`)
  await heading(customer.page, 'Servers').waitFor()
  expect(await customer.page.getByText('Under the hill').count()).toBe(0)
}
