import { expect } from 'vitest'
import { until } from '../must.ts'
import { heading, npmStart, type World } from '../world.ts'

/** The power fails; after `npm start` the servers that ran are there again, with what they held. */
export async function reboot(world: World): Promise<void> {
  const { admin, machine } = world
  await machine.reboot()
  await npmStart(world)
  await admin.page.goto(`${world.panel}/servers`)
  await heading(admin.page, 'Servers').waitFor()
  for (const name of ['Under the hill', 'My own place'])
    await admin.page.getByRole('row', { name }).getByText('Running', { exact: true }).waitFor()
  await admin.page.getByRole('link', { name: 'Under the hill' }).first().click()
  const { hostname } = new URL(world.panel)
  const place = await admin.page
    .getByText(new RegExp(`^${hostname}:\\d+$`))
    .first()
    .textContent()
  const visitor = await world.desk.person()
  await until(() => visitor.goto(`http://${place}/`).catch(() => undefined))
  expect(await visitor.locator('body').textContent()).toContain('It works')
  await visitor.close()
}
