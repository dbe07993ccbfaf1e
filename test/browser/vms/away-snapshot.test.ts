import { expect, test } from 'vitest'
import { until } from '../../support/until.ts'
import { expectAccessible, openBrowser, picture } from '../support/browser.ts'
import { openMachineStage } from '../support/machine-stage.ts'
import { beOn } from '../support/visit.ts'

test('a snapshot that belongs to other files of its machine says so, and why it cannot be restored', async () => {
  await using stage = await openMachineStage()
  await using browser = await openBrowser(stage.lodge.origin)
  const { page } = browser
  await beOn(browser, stage.lodge.origin, stage.customer)
  const params = { id: stage.machineId }
  const states = async () =>
    (await stage.customer.must('GET /api/servers/{id}/vm', { params })).snapshots.map(
      ({ state }) => state,
    )
  const off = { params, body: { action: 'kill', confirm: true } } as const
  await stage.customer.call('POST /api/servers/{id}/actions', off)
  await until(async () => {
    const taken = await stage.customer.call('POST /api/servers/{id}/vm/snapshots', {
      params,
      body: { name: 'before the upgrade' },
    })
    return taken.status === 202
  })
  await until(async () => (await states())[0] === 'ready')
  await stage.lodge.database.pool.query(`update vm_snapshots set state = 'away'`)
  await page.goto(`/servers/${stage.machineId}/snapshots`)
  await page.getByText('With other files').waitFor()
  await page.getByRole('button', { name: 'Restore before the upgrade' }).hover()
  await page.getByText('The host can have the machine take those').first().waitFor()
  await expectAccessible(page)
  await picture(page, 'snapshot-away')
  expect(browser.faults).toEqual([])
})
