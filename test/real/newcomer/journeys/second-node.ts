import { expect } from 'vitest'
import { machineAt } from '../machine.ts'
import { until } from '../must.ts'
import { button, field, heading, type World } from '../world.ts'

/** Another machine becomes a node by the command that the panel shows. */
export async function secondNode({ admin, panel }: World): Promise<void> {
  const { page } = admin
  await page.goto(`${panel}/admin/nodes/new`)
  await field(page, 'Name').fill('second')
  await button(page, 'Create node').click()
  await page.getByText('Join second', { exact: true }).first().waitFor()
  const line = page.getByRole('region', { name: 'Command that joins the node' })
  const command = (await line.textContent()) ?? ''
  expect(command).toMatch(/^curl /)

  await using machine = await machineAt('second', '10.97.0.12')
  const { code, said } = await machine.shell(command)
  expect(code, said).toBe(0)
  const start = /Start the agent with: (.+)$/m.exec(said)?.[1]
  // Without systemd here, the command says how to start it.
  const agent = machine.start(`env ${start}`)
  await until(() => {
    if (!agent.isRunning) throw new Error(agent.output())
    return page.getByText('Connected').first().isVisible()
  })
  await page.goto(`${panel}/admin/nodes`)
  await heading(page, 'Nodes').waitFor()
  await page
    .getByRole('row', { name: /second/ })
    .getByText('Online')
    .waitFor()
}
