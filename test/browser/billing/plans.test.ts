import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import type { Lodge } from '../../support/stack.ts'
import { machineNode, natNetwork, readyMedium } from '../../support/vm-world.ts'
import { type Browser, openBrowser } from '../support/browser.ts'
import { startPanel } from '../support/panel.ts'
import { beOn } from '../support/visit.ts'

let lodge: Lodge
let admin: Caller
let browser: Browser
let page: Page
beforeAll(async () => {
  lodge = await startPanel()
  admin = await lodge.admin()
  browser = await openBrowser(lodge.origin)
  page = browser.page
  await lodge.template({ name: 'Minecraft: Paper' })
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
})
const button = (name: string | RegExp) => page.getByRole('button', { name })
const field = (label: string) => page.getByLabel(label, { exact: true })

test('a server plan is created, priced, copied and moved to the front', async () => {
  await admin.must('POST /api/plans', { body: { name: 'Family', kind: 'account' } })
  await beOn(browser, lodge.origin, admin)
  await page.goto('/admin/plans/new')
  await page.getByRole('radio', { name: /^Server plan/ }).check()
  await field('Name').fill('Server S')
  await field('Stock').fill('5')
  await page.getByRole('combobox', { name: 'Templates' }).click()
  await page.getByRole('option', { name: 'Minecraft: vanilla' }).first().click()
  await field('Backups per server, set here').fill('3')
  await field('Backup storage, set here').fill('2g')
  await page.getByRole('combobox', { name: 'Use SFTP, set here' }).click()
  await page.getByRole('option', { name: 'No', exact: true }).click()
  await button('Create plan').click()
  // Its page opens next, where prices are added.
  await button('Add price').click()
  await field('Amount').fill('9,999')
  await button('Save plan').click()
  await page.getByText('Enter an amount like 9.99').waitFor()
  await field('Amount').fill('9,99')
  await button('Save plan').click()
  await expect.poll(() => field('Amount').inputValue()).toBe('9.99')

  // What somebody else changed meanwhile stays.
  const [made] = (await admin.must('GET /api/plans')).items.filter((one) => one.stock === 5)
  const params = { id: made?.id ?? '' }
  const preset = made?.preset
  if (!preset) throw new Error('it is a server plan')
  await admin.must('PUT /api/plans/{id}', {
    params,
    body: { stock: 6, preset: { ...preset, cpuPercent: 150 } },
  })
  await field('Description (optional)').fill('For a few friends')
  await button('Save plan').click()
  await expect.poll(() => field('Stock').inputValue()).toBe('6')
  await field('Memory').fill('3 GiB')
  await button('Save plan').click()
  const saved = async () => (await admin.must('GET /api/plans/{id}', { params })).preset
  await expect.poll(saved).toEqual({ ...preset, cpuPercent: 150, memoryMb: 3072 })
  await admin.must('PUT /api/plans/{id}', { params, body: { stock: 5, description: '', preset } })

  await page.reload()
  await expect.poll(() => field('Amount').inputValue()).toBe('9.99')
  // So do their prices; one that both changed is shown first.
  const changeTo = (monthly: number, yearly?: number) => {
    const month = { cycle: 'monthly', amount: monthly, currency: 'EUR' } as const
    const year = yearly && ({ ...month, cycle: 'yearly', amount: yearly } as const)
    const body = { prices: year ? [month, year] : [month] }
    return admin.must('PUT /api/plans/{id}/prices', { params, body })
  }
  const amounts = async () => {
    const { prices } = await admin.must('GET /api/plans/{id}', { params })
    return prices.map(({ amount }) => amount).toSorted((a, b) => a - b)
  }
  await changeTo(999, 9999)
  await field('Amount').fill('8.99')
  await button('Save plan').click()
  await expect.poll(() => field('Amount').count()).toBe(2)
  expect(await amounts()).toEqual([899, 9999])
  await changeTo(799, 9999)
  await field('Amount').first().fill('6.99')
  await button('Save plan').click()
  await page.getByText(/^Somebody else saved €7\.99 monthly meanwhile/).waitFor()
  expect(await amounts()).toEqual([799, 9999])
  await button('Save plan').click()
  await button('Discard').waitFor({ state: 'detached' })
  expect(await amounts()).toEqual([699, 9999])
  await changeTo(999)

  await page.reload()
  await button('Duplicate plan').click()
  await page.getByRole('heading', { level: 1, name: /^Server S \(copy\)/ }).waitFor()
  await page.goto('/admin/plans')
  await page.getByRole('cell', { name: '€9.99 monthly' }).first().waitFor()
  await button('Change order').click()
  const listed = page.getByRole('dialog').getByRole('listitem')
  const order = async () =>
    (await listed.allTextContents()).map((text) => text.replace(/It is the (first|last) one/, ''))
  await button('Move Server S up').click()
  await expect.poll(order).toEqual(['Server S', 'Family', 'Server S (copy)'])
  // Drags by mouse, to the end and back.
  const drag = (from: number, to: number) =>
    listed.nth(from).locator('[draggable]').dragTo(listed.nth(to))
  await drag(0, 2)
  await expect.poll(order).toEqual(['Family', 'Server S (copy)', 'Server S'])
  await drag(2, 0)
  await expect.poll(order).toEqual(['Server S', 'Family', 'Server S (copy)'])
  await page.getByRole('dialog').getByRole('button', { name: 'Change order' }).click()
  await page.getByText('Order changed').waitFor()
  const { items } = await admin.must('GET /api/plans')
  expect(items.map(({ name }) => name)).toEqual(['Server S', 'Family', 'Server S (copy)'])
  expect(items[0]).toMatchObject({ stock: 5, prices: [{ amount: 999, currency: 'EUR' }] })
  expect(items[0]?.preset?.limits).toEqual({
    ...{ maxServerBackups: 3, maxBackupStorageMb: 2048, maySftp: false },
  })
  await admin.must('PUT /api/plans/{id}', {
    ...{ params: { id: items[0]?.id ?? '' }, body: { name: 'Server S', visibility: 'public' } },
  })
  // A card of the store says it in words.
  await page.goto('/store')
  for (const line of ['3 backups', '2 GiB of backup storage', 'No SFTP'])
    await page.getByRole('listitem').getByText(line, { exact: true }).waitFor()
  expect(browser.faults).toEqual([])
})

test('a plan with a virtual machine is created and bought, with its user account', async () => {
  const { agent } = await machineNode(lodge)
  await using _agent = agent
  await natNetwork(lodge)
  await readyMedium(lodge, 'qcow2', 'Debian 13')
  await beOn(browser, lodge.origin, admin)
  await page.goto('/admin/plans/new')
  await page.getByRole('radio', { name: /^Server plan/ }).check()
  await page.getByRole('radio', { name: /^Virtual machine/ }).check()
  await field('Name').fill('Machine M')
  await page.getByRole('combobox', { name: 'Hardware' }).click()
  await page.getByRole('option', { name: 'Linux' }).first().click()
  await page.keyboard.press('Escape')
  await field('vCPUs').fill('2')
  await button('Create plan').click()
  await page.getByText('Choose at least one').waitFor()
  await page.getByRole('combobox', { name: 'Systems' }).click()
  await page.getByRole('option', { name: 'Debian 13' }).click()
  await page.keyboard.press('Escape')
  await button('Create plan').click()
  await page.getByRole('heading', { level: 1, name: 'Machine M' }).waitFor()
  await page.goto('/admin/plans')
  await page.getByRole('cell', { name: /^Virtual machine: 2 vCPUs/ }).waitFor()
  const { items } = await admin.must('GET /api/plans')
  const { id, name } = items.find((plan) => plan.name === 'Machine M') ?? { id: '', name: '' }
  expect(items.find((plan) => plan.id === id)?.preset).toMatchObject({
    vm: { vcpus: 2, networkId: null },
  })
  await admin.must('PUT /api/plans/{id}', {
    params: { id },
    body: { name, visibility: 'public' },
  })
  await admin.must('PUT /api/plans/{id}/prices', {
    params: { id },
    body: { prices: [{ cycle: 'monthly', amount: 1999, currency: 'EUR' }] },
  })

  const customer = await lodge.customer()
  await beOn(browser, lodge.origin, customer)
  await page.goto('/store')
  await page.getByText('Virtual machine: 2 vCPUs, 2 GiB memory, 10 GiB disk').waitFor()
  await button('Buy Machine M').click()
  const dialog = page.getByRole('dialog')
  await field('Name of the server').fill('My machine')
  await dialog.getByRole('button', { name: 'Buy Machine M' }).click()
  await page.getByText(/^Nobody could sign in/i).waitFor()
  await field('Password (optional)').fill('correct horse battery')
  await dialog.getByRole('button', { name: 'Buy Machine M' }).click()
  await page.getByText('Waits for payment').waitFor()
  const { subscriptions } = await customer.must('GET /api/billing')
  expect(subscriptions).toMatchObject([{ server: { name: 'My machine', state: 'reserved' } }])
  expect(browser.faults.filter((fault) => !fault.includes('400'))).toEqual([])
})
