import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../../support/until.ts'
import { type Browser, openBrowser, picture } from '../support/browser.ts'
import { type MachineStage, openMachineStage } from '../support/machine-stage.ts'
import { beOn, expectScreen } from '../support/visit.ts'

let stage: MachineStage
let browser: Browser

beforeAll(async () => {
  stage = await openMachineStage()
  browser = await openBrowser(stage.lodge.origin)
  await beOn(browser, stage.lodge.origin, stage.customer)
})

afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await stage?.[Symbol.asyncDispose]()
})

const at = (tab: string): string => `/servers/${stage.machineId}/${tab}`
const vm = () =>
  stage.customer.must('GET /api/servers/{id}/vm', { params: { id: stage.machineId } })

/** How many pixels of the screen are not black. */
const litPixels = (): Promise<number> =>
  browser.page.locator('canvas').evaluate((canvas) => {
    // Without a connection noVNC has a canvas without a size.
    if (!(canvas instanceof HTMLCanvasElement) || canvas.width === 0) return 0
    const points = canvas
      .getContext('2d')
      ?.getImageData(0, 0, canvas.width, canvas.height)
      .data.filter((value, index) => index % 4 !== 3 && value > 60)
    return points?.length ?? 0
  })

test('the screen of a machine is shown, and a lost connection is restored automatically', async () => {
  const { page } = browser
  await page.addInitScript(() => {
    const opened: WebSocket[] = []
    Object.assign(window, { opened })
    window.WebSocket = new Proxy(WebSocket, {
      construct(target, [url, protocols]) {
        const socket = new target(url, protocols)
        opened.push(socket)
        return socket
      },
    })
  })
  const connections = (): Promise<number> =>
    page.evaluate(() => Number(Reflect.get(Reflect.get(window, 'opened'), 'length')))
  await page.goto(at('screen'))
  await page.getByText('Connected', { exact: true }).waitFor()
  // The firmware prints some lines of text.
  await until(async () => (await litPixels()) > 1_000)
  await page.getByRole('button', { name: 'Type text' }).click()
  await page.getByLabel('Text', { exact: true }).fill('help')
  await page.getByRole('dialog').getByRole('button', { name: 'Type text' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  const before = await connections()
  await page.evaluate(() => Reflect.get(window, 'opened').at(-1).close())
  await until(async () => (await connections()) > before)
  await page.getByText('Connected', { exact: true }).waitFor()
  await until(async () => (await litPixels()) > 1_000)
  await picture(page, 'machine-screen')
  expect(browser.faults).toEqual([])
})

test('input on the serial console reaches the guest, and its output is shown', async () => {
  const { page } = browser
  await page.goto(at('serial'))
  await page.getByText('Connected', { exact: true }).waitFor()
  await page.locator('.xterm-rows').getByText('Done (3.214s)').waitFor()
  await page.locator('.xterm-helper-textarea').focus()
  await page.keyboard.type('root')
  await page.keyboard.press('Enter')
  await until(() =>
    stage.agent.driver.inputs(stage.machineId).join('').replaceAll('\r', '').includes('root'),
  )
  await picture(page, 'machine-serial')
})

test('a running machine shows why its hardware cannot be changed; after shutdown it can', async () => {
  const { page } = browser
  await page.goto(at('hardware'))
  await page.getByText('Shut the machine down to change this').waitFor()
  await expect
    .poll(() => page.getByRole('button', { name: 'Add disk' }).getAttribute('aria-disabled'))
    .toBe('true')
  await page.getByRole('button', { name: 'Shut down', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Shut down' }).click()
  await page.getByText('Stopped', { exact: true }).first().waitFor()

  await page.getByLabel('Processors', { exact: true }).fill('4')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await until(async () => (await vm()).vcpus === 4)

  await page.getByRole('button', { name: 'Add disk' }).click()
  await page.getByRole('dialog').getByLabel('Size').fill('8 GiB')
  await page.getByRole('dialog').getByRole('button', { name: 'Add disk' }).click()
  await until(async () => (await vm()).disks.some(({ sizeMb }) => sizeMb === 8192))
  expect(browser.faults).toEqual([])
})

test('a snapshot is taken, restored after a confirmation and deleted', async () => {
  const { page } = browser
  const { machineId } = stage
  await page.goto(at('snapshots'))
  await page.getByRole('button', { name: 'Take snapshot' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('before the upgrade')
  await page.getByRole('dialog').getByRole('button', { name: 'Take snapshot' }).click()
  await until(async () => (await vm()).snapshots[0]?.state === 'ready')
  const parts = stage.agent.driver.runtime.machines.get(machineId)?.parts
  const [disk] = parts?.keys() ?? []
  parts?.set(disk ?? '', 'written later')

  await page.getByText('Ready', { exact: true }).waitFor()
  await picture(page, 'machine-snapshot')
  await page.getByRole('button', { name: 'Restore before the upgrade' }).click()
  await page.getByText('are lost', { exact: false }).waitFor()
  await page.getByRole('button', { name: 'Restore snapshot' }).click()
  await until(() => parts?.get(disk ?? '') !== 'written later')

  const button = page.getByRole('button', { name: 'Delete before the upgrade' })
  await button.and(page.locator(':not([aria-disabled])')).click()
  await page.getByRole('button', { name: 'Delete snapshot' }).click()
  await until(async () => (await vm()).snapshots.length === 0)
  await page.getByText('No snapshots yet').waitFor()
  expect(browser.faults).toEqual([])
})

test('a backup of a machine is made and restored, and says that it contains disks', async () => {
  const { page } = browser
  const parts = stage.agent.driver.runtime.machines.get(stage.machineId)?.parts
  const [disk = ''] = parts?.keys() ?? []
  parts?.set(disk, 'backed up')
  await page.goto(at('backups'))
  await page.getByRole('button', { name: 'Back up now' }).first().click()
  await page.getByRole('dialog').getByLabel('Name').fill('before the upgrade')
  await page.getByRole('dialog').getByRole('button', { name: 'Back up server' }).click()
  await page.getByText('Complete', { exact: true }).waitFor()
  await page.getByText('They contain whole disks', { exact: false }).waitFor()
  await picture(page, 'machine-backups')
  expect(await page.getByRole('button', { name: /^Browse/ }).count()).toBe(0)
  parts?.set(disk, 'written later')
  const restore = page.getByRole('button', { name: 'Restore before the upgrade' })
  await restore.and(page.locator(':not([aria-disabled])')).click()
  await page.getByText('This replaces all disks', { exact: false }).waitFor()
  await picture(page, 'machine-restore')
  await page.getByRole('button', { name: 'Restore backup' }).click()
  await until(() => parts?.get(disk) === 'backed up')
  expect(browser.faults).toEqual([])
})

test('a port of the node is forwarded to another port of the guest', async () => {
  const { page } = browser
  await page.goto(at('network'))
  await page.getByLabel('To guest port').fill('8080')
  await page.getByText('1 change: Port forwarding').waitFor()
  await page.getByRole('button', { name: 'Save rules' }).click()
  await until(async () => (await vm()).ports[0]?.rules[0]?.guestPort === 8080)
  await page.getByRole('table', { name: 'Ports' }).getByText('TCP 8080').waitFor()
  expect(browser.faults).toEqual([])
})

test('a refused medium is not selectable', async () => {
  const { page } = browser
  await stage.lodge.database.pool.query(
    `insert into vm_media (id, name, kind, url, sha256, state, failure)
     values (gen_random_uuid(), 'Half a download', 'iso', 'https://cdimage.debian.org/half', $1,
       'failed', 'the server closed the connection after 12 MB')`,
    ['f'.repeat(64)],
  )
  await beOn(browser, stage.lodge.origin, stage.admin)
  await page.goto('/admin/virtualization')
  const refused = page.getByRole('row').filter({ hasText: 'Half a download' })
  await refused.getByText('Rejected', { exact: true }).waitFor()
  await refused.getByText('Not offered', { exact: true }).waitFor()
  expect(await refused.getByRole('switch').count()).toBe(0)
  await beOn(browser, stage.lodge.origin, stage.customer)
})

test('every screen of virtual machines is readable, light on a desktop or dark on a phone', async () => {
  for (const [name, path] of [
    ['off-screen', at('screen')],
    ['hardware', at('hardware')],
    ['snapshots', at('snapshots')],
    ['backups', at('backups')],
    ['network', at('network')],
    ['move', at('move')],
  ] as const)
    await expectScreen(browser, `machine-${name}`, path)
  await beOn(browser, stage.lodge.origin, stage.admin)
  for (const [name, path] of [
    ['catalogue', '/admin/virtualization'],
    ['new', '/servers/new?kind=vm'],
    ['node', `/admin/nodes/${stage.node.id}`],
    ['overview', at('')],
  ] as const)
    await expectScreen(browser, `machine-${name}`, path)
})

test('an administrator creates a machine from an image and opens its screen', async () => {
  const { page } = browser
  await beOn(browser, stage.lodge.origin, stage.admin)
  await page.goto('/servers/new?kind=vm')
  await page.getByLabel('Name', { exact: true }).fill('From an image')
  await page.getByRole('combobox', { name: 'Owner' }).click()
  await page.getByRole('option').first().click()
  await page
    .getByLabel('SSH keys')
    .fill('ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGJlIGtpbmQgdG8geW91ciBuZWlnaGJvdXJz ada@desk')
  await page.getByRole('button', { name: 'Create machine' }).click()
  await page.getByRole('heading', { level: 1, name: 'From an image' }).waitFor()
  await page.getByText('Connected', { exact: true }).waitFor()
  expect(browser.faults).toEqual([])
})
