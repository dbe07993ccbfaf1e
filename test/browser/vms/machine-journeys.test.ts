import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RealAgent, startRealAgent } from '../../support/real-agent.ts'
import type { JoinedNode } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import {
  connected,
  type FileServer,
  isoImage,
  jobEnd,
  serveFiles,
  sha256,
} from '../../support/vm-world.ts'
import { type Browser, expectAccessible, openBrowser, picture } from '../support/browser.ts'
import { type MachineStage, openMachineStage } from '../support/machine-stage.ts'
import { beOn, expectScreen } from '../support/visit.ts'

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGJlIGtpbmQgdG8geW91ciBuZWlnaGJvdXJz ada@desk'

let files: FileServer
let folder: string
let stage: MachineStage
let browser: Browser
let there: JoinedNode
let agentThere: RealAgent

beforeAll(async () => {
  files = await serveFiles()
  folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-media-'))
  await writeFile(path.join(folder, 'ca.pem'), files.authority)
  stage = await openMachineStage({
    LODGE_EGRESS_HOSTS: files.host,
    LODGE_EGRESS_CA: path.join(folder, 'ca.pem'),
  })
  there = await stage.lodge.joinedNode({ name: 'vienna-1', location: 'Vienna' })
  agentThere = await startRealAgent(stage.lodge, there)
  await connected(stage.lodge, there.id)
  browser = await openBrowser(stage.lodge.origin)
  await beOn(browser, stage.lodge.origin, stage.admin)
})

afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await agentThere?.[Symbol.asyncDispose]()
  await stage?.[Symbol.asyncDispose]()
  await files?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const catalogue = () => stage.admin.must('GET /api/virtualization/catalogue')
const dialog = () => browser.page.getByRole('dialog')
const machine = () => {
  const params = { id: stage.machineId }
  return stage.customer.must('GET /api/servers/{id}', { params })
}
const vm = () =>
  stage.customer.must('GET /api/servers/{id}/vm', { params: { id: stage.machineId } })

/** Checks the dialog on a desktop and on a phone. */
async function expectDialog(name: string): Promise<void> {
  const { page } = browser
  await picture(page, name)
  await expectAccessible(page, '[role="dialog"]')
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page, '[role="dialog"]')
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await page.setViewportSize({ width: 1280, height: 800 })
}

/** The latest job with a matching title. */
async function lastJob(title: RegExp) {
  const { items } = await stage.customer.must('GET /api/jobs')
  return items.find((job) => title.test(job.title))
}

test('a medium is registered, checked while the page is open, and disabled', async () => {
  const { page } = browser
  const content = isoImage('rescue')
  files.files.set('/rescue.iso', content)
  await page.goto('/admin/virtualization')
  await page.getByRole('button', { name: 'Add medium' }).click()
  await dialog().getByText('From an address').click()
  await dialog().getByLabel('Name').fill('Rescue')
  await dialog().getByRole('textbox', { name: 'Address' }).fill('http://example.com/rescue.iso')
  await dialog().getByRole('textbox', { name: 'SHA-256' }).fill('no fingerprint')
  await dialog().getByRole('button', { name: 'Add medium' }).click()
  await expect
    .poll(() => dialog().getByRole('textbox', { name: 'Address' }).getAttribute('aria-invalid'))
    .toBe('true')
  await expectDialog('machine-new-medium')
  await dialog().getByRole('textbox', { name: 'Address' }).fill(files.url('/rescue.iso'))
  await dialog().getByRole('textbox', { name: 'SHA-256' }).fill(sha256(content))
  await dialog().getByRole('button', { name: 'Add medium' }).click()
  await dialog().waitFor({ state: 'detached' })
  const row = page.getByRole('row', { name: /Rescue/ })
  await row.getByText('Ready', { exact: true }).waitFor()
  await row.getByRole('switch', { name: 'Offer Rescue' }).click()
  await until(async () => {
    const { media } = await catalogue()
    return media.some(
      ({ name, state, enabled }) => name === 'Rescue' && state === 'ready' && !enabled,
    )
  })
  expect(browser.faults).toEqual([])
})

test('a medium whose content does not match its fingerprint is refused with the reason', {
  tags: 'long',
}, async () => {
  const { page } = browser
  files.files.set('/other.iso', isoImage('other'))
  await page.getByRole('button', { name: 'Add medium' }).click()
  await dialog().getByText('From an address').click()
  await dialog().getByLabel('Name').fill('Forged')
  await dialog().getByRole('textbox', { name: 'Address' }).fill(files.url('/other.iso'))
  await dialog()
    .getByRole('textbox', { name: 'SHA-256' })
    .fill(sha256(isoImage('what was meant')))
  await dialog().getByRole('button', { name: 'Add medium' }).click()
  const row = page.getByRole('row', { name: /Forged/ })
  await row.getByText('Rejected', { exact: true }).waitFor()
  await row.getByText(/fingerprint/).waitFor()
})

test('a medium is uploaded from the browser, checked, and deleted again', async () => {
  const { page } = browser
  await page.getByRole('button', { name: 'Add medium' }).click()
  await dialog().getByLabel('Image').waitFor()
  await expectDialog('machine-known-image')
  await dialog().getByText('Upload', { exact: true }).click()
  await dialog()
    .getByLabel('Medium file')
    .setInputFiles({
      name: 'From here.iso',
      mimeType: 'application/octet-stream',
      buffer: isoImage('from here'),
    })
  await expectDialog('machine-upload-medium')
  await dialog().getByRole('button', { name: 'Upload medium' }).click()
  await dialog().waitFor({ state: 'detached' })
  const row = page.getByRole('row', { name: /From here/ })
  await row.getByText('Ready', { exact: true }).waitFor()
  await row.getByText('uploaded').waitFor()
  await row.getByRole('button', { name: 'Delete From here' }).click()
  await dialog().getByRole('button', { name: 'Delete', exact: true }).click()
  await row.waitFor({ state: 'detached' })
  expect(browser.faults).toEqual([])
})

test('the form of a new machine adds an image and selects it once it has arrived', async () => {
  const { page } = browser
  await page.goto('/servers/new?kind=vm')
  await page.getByText('Installation medium', { exact: true }).click()
  await page.getByRole('button', { name: 'Add medium' }).click()
  await dialog().getByText('Upload', { exact: true }).click()
  await dialog()
    .getByLabel('Medium file')
    .setInputFiles({
      name: 'Right here.iso',
      mimeType: 'application/octet-stream',
      buffer: isoImage('right here'),
    })
  await dialog().getByRole('button', { name: 'Upload medium' }).click()
  await dialog().waitFor({ state: 'detached' })
  await expect
    .poll(() => page.getByRole('combobox', { name: 'Medium' }).inputValue())
    .toBe('Right here')
  await page.getByText('Cloud image', { exact: true }).click()
  await picture(page, 'machine-new-form')
  await page.getByRole('button', { name: 'Add network' }).click()
  await dialog().getByLabel('Name in libvirt').waitFor()
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
  expect(browser.faults).toEqual([])
  await page.goto('/admin/virtualization')
})

test('what was typed for a server stays when its kind is switched, and comes back', {
  tags: 'long',
}, async () => {
  const { page } = browser
  const name = page.getByRole('textbox', { name: 'Name', exact: true })
  const memory = page.getByLabel('Memory', { exact: true })
  const world = page.getByRole('textbox', { name: 'World' })
  const user = page.getByRole('textbox', { name: 'User', exact: true })
  const choose = async (kind: string, title: string): Promise<void> => {
    await page.getByText(kind, { exact: true }).click()
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    await name.waitFor()
  }
  await page.goto('/servers/new')
  await page.getByRole('radio', { name: /Minecraft \(Paper\)/ }).press('Space')
  await name.fill('Undecided')
  await memory.fill('3 GiB')
  await world.fill('islands')
  await choose('Virtual machine', 'New virtual machine')
  await expect.poll(() => name.inputValue()).toBe('Undecided')
  expect(await memory.inputValue()).toBe('3 GiB')
  await user.fill('ada')
  await page.getByLabel('Processors', { exact: true }).fill('3')
  await picture(page, 'machine-switched')
  await choose('Container', 'New server')
  expect(await world.inputValue()).toBe('islands')
  expect(await name.inputValue()).toBe('Undecided')
  expect(await page.getByLabel('CPU', { exact: true }).inputValue()).toBe('300%')
  await choose('Virtual machine', 'New virtual machine')
  expect(await user.inputValue()).toBe('ada')
  expect(await page.getByLabel('Processors', { exact: true }).inputValue()).toBe('3')
  // Even values that only the other kind has are not lost without a confirmation.
  await page.getByRole('link', { name: 'Virtualization' }).click()
  await dialog().getByRole('button', { name: 'Discard changes' }).click()
  await page.getByRole('heading', { level: 1, name: 'Virtualization' }).waitFor()
})

test('a hardware profile and a network are created and released to customers', async () => {
  const { page } = browser
  await page.getByRole('button', { name: 'Create profile' }).click()
  await dialog().getByLabel('Name').fill('Small Linux')
  await dialog().getByLabel('Description').fill('With a sata disk')
  await dialog().getByRole('combobox', { name: 'Disk bus' }).click()
  await page.getByRole('option', { name: 'sata' }).click()
  await expectDialog('machine-new-profile')
  await dialog().getByRole('button', { name: 'Create profile' }).click()
  await dialog().waitFor({ state: 'detached' })
  await page.getByRole('switch', { name: 'Allow customers to use Small Linux' }).click()
  await until(async () => {
    const { profiles } = await catalogue()
    const made = profiles.find(({ name }) => name === 'Small Linux')
    return made?.hardware.diskBus === 'sata' && made.customerVisible
  })

  await page.getByRole('button', { name: 'Add network' }).click()
  await dialog().getByLabel('Name', { exact: true }).fill('Elsewhere')
  await dialog().getByRole('button', { name: 'Add network' }).click()
  // The proposed addresses are those of the existing network.
  await dialog()
    .getByText(/overlap|is this network/)
    .first()
    .waitFor()
  await dialog().getByLabel('Name in libvirt').fill('elsewhere')
  await dialog().getByLabel('Subnet').fill('10.88.0.0/24')
  await dialog().getByLabel('First guest address').fill('10.88.0.10')
  await dialog().getByLabel('Last guest address').fill('10.88.0.50')
  await expectDialog('machine-new-network')
  await dialog().getByRole('button', { name: 'Add network' }).click()
  await dialog().waitFor({ state: 'detached' })
  await page.getByRole('switch', { name: 'Allow customers to use Elsewhere' }).click()
  await until(async () => {
    const { networks } = await catalogue()
    const made = networks.find(({ name }) => name === 'Elsewhere')
    return made?.pool?.size === 41 && made.customerVisible
  })
  await expectScreen(browser, 'machine-catalogue-full', '/admin/virtualization')
  await page.setViewportSize({ width: 1280, height: 800 })
  const rows = page.getByRole('table', { name: 'Hardware profiles' }).locator('[data-row]')
  const heights = await rows.evaluateAll((all) => all.map(({ clientHeight }) => clientHeight))
  expect(Math.max(...heights), 'a name and a line below it').toBeLessThanOrEqual(60)
})

test('a node lists missing requirements, and accepts machines once enabled', async () => {
  const { page } = browser
  await page.goto(`/admin/nodes/${there.id}`)
  const takes = page.getByRole('switch', { name: 'Takes new virtual machines' })
  // Without KVM it is refused at first, with a remedy.
  await takes.click()
  await page.getByText(/is not prepared: This node has no KVM/).waitFor()
  await page.getByRole('switch', { name: 'Also without KVM' }).click()
  await until(async () => {
    const node = await stage.admin.must('GET /api/nodes/{id}', { params: { id: there.id } })
    return node.virtualization.emulationAllowed
  })
  await takes.click()
  await until(async () => {
    const node = await stage.admin.must('GET /api/nodes/{id}', { params: { id: there.id } })
    return node.virtualization.enabled
  })
  await expectScreen(browser, 'machine-node-on', `/admin/nodes/${there.id}`)
})

test('a customer creates their own machine from released hardware', async () => {
  const { page } = browser
  await beOn(browser, stage.lodge.origin, stage.customer)
  await page.goto('/servers/new')
  await page.getByText('Virtual machine', { exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'New virtual machine' }).waitFor()
  expect(await page.getByRole('radio', { name: /Windows 11/ }).count()).toBe(0)
  await page.getByRole('button', { name: 'Create machine' }).click()
  await page.getByText('Some fields need your attention').waitFor()
  await expectScreen(browser, 'machine-own', '/servers/new?kind=vm')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('My own machine')
  await page.getByLabel('SSH keys').fill(KEY)
  await page.getByLabel('Memory', { exact: true }).fill('8 GiB')
  await page.getByRole('button', { name: 'Create machine' }).click()
  await page.getByText(/This would exceed the limit/).waitFor()
  await page.getByLabel('Memory', { exact: true }).fill('1 GiB')
  await page.getByRole('button', { name: 'Create machine' }).click()
  await page.getByRole('heading', { level: 1, name: 'My own machine' }).waitFor()
  const { items } = await stage.customer.must('GET /api/servers')
  const own = items.find(({ name }) => name === 'My own machine')
  expect(own).toMatchObject({ kind: 'vm', ownerId: stage.customer.id, memoryMb: 1024 })
  const made = await stage.customer.must('GET /api/servers/{id}/vm', {
    params: { id: own?.id ?? '' },
  })
  expect(made).toMatchObject({ profile: { name: 'Small Linux' }, network: { name: 'Elsewhere' } })
  expect(browser.faults).toEqual([])
})

test('a machine is reinstalled after typing its name', async () => {
  const { page } = browser
  const { jobId } = await stage.customer.must('POST /api/servers/{id}/actions', {
    params: { id: stage.machineId },
    body: { action: 'stop' },
  })
  await jobEnd(stage.customer, jobId, 'done')
  const parts = stage.agent.driver.runtime.machines.get(stage.machineId)?.parts
  parts?.set('system', 'what I wrote')
  await page.goto(`/servers/${stage.machineId}/hardware`)
  const reinstall = page.getByRole('button', { name: 'Reinstall machine…', exact: true })
  await reinstall.and(page.locator(':not([aria-disabled])')).click()
  await dialog().getByRole('textbox').fill('Build machine')
  await expectDialog('machine-reinstall')
  await dialog().getByRole('button', { name: 'Reinstall machine' }).click()
  await dialog().waitFor({ state: 'detached' })
  const job = await until(() => lastJob(/^Reinstall Build machine/))
  await jobEnd(stage.customer, job.id, 'done')
  expect(parts?.get('system')).toBe('empty')
})

test('a machine moves to another node and network, and other nodes show why they cannot take it', async () => {
  const { page } = browser
  const cordon = (cordoned: boolean) =>
    stage.admin.must('PATCH /api/nodes/{id}', { params: { id: there.id }, body: { cordoned } })
  await cordon(true)
  await page.goto(`/servers/${stage.machineId}/move`)
  await page.getByText('vienna-1 takes no new servers').first().waitFor()
  const here = page.getByRole('button', { name: 'Move here' })
  await expect.poll(() => here.getAttribute('aria-disabled')).toBe('true')
  await expectScreen(browser, 'machine-move-refused', `/servers/${stage.machineId}/move`)
  await cordon(false)
  await page.reload()
  await here.and(page.locator(':not([aria-disabled])')).click()
  await dialog().getByRole('combobox', { name: 'Network on the new node' }).click()
  await page.getByRole('option', { name: 'Elsewhere (new address)' }).click()
  const move = dialog().getByRole('button', { name: 'Move machine' })
  await expect.poll(() => move.getAttribute('aria-disabled')).toBe('true')
  await dialog().getByRole('checkbox').click()
  await expectDialog('machine-move-confirm')
  await move.click()
  await dialog().waitFor({ state: 'detached' })
  const job = await until(() => lastJob(/^Move Build machine/))
  await jobEnd(stage.customer, job.id, 'done')
  expect(await machine()).toMatchObject({ nodeName: 'vienna-1', status: 'stopped' })
  expect(await vm()).toMatchObject({ network: { name: 'Elsewhere' } })
  expect(agentThere.driver.runtime.machines.has(stage.machineId)).toBe(true)
  await page.getByText('vienna-1 · Vienna').waitFor()
  await expectScreen(browser, 'machine-moved', `/servers/${stage.machineId}/move`)
  expect(browser.faults).toEqual([])
})
