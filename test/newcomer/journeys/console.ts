import { until } from '../must.ts'
import type { World } from '../world.ts'

/** What a server says is seen as it is said: here what it answers to a visitor. */
export async function consoleJourney({ admin, panel, desk }: World): Promise<void> {
  const { page } = admin
  await page.goto(`${panel}/servers`)
  await page.getByRole('link', { name: 'Under the hill' }).first().click()
  const { hostname } = new URL(panel)
  const place = await page
    .getByText(new RegExp(`^${hostname}:\\d+$`))
    .first()
    .textContent()
  await page.getByRole('link', { name: 'Console', exact: true }).click()
  const refusals = page.locator('.xterm-rows').getByText('response:404')
  await page.getByText('Connected', { exact: true }).waitFor()
  const before = await refusals.count()
  const visitor = await desk.person()
  await visitor.goto(`http://${place}/nothing-here`)
  await visitor.close()
  await until(async () => (await refusals.count()) > before)
}
