import type { Locator, Page } from 'playwright-core'
import { until } from '../must.ts'
import { GREETING, tinySystem } from '../tiny-system.ts'
import { button, field, heading, openServer, type World } from '../world.ts'

const KEY =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGPKSUTyz1HwHReFVvD5obVsALAgJRNarH4TRpNePnAS host@desk'

/** An image from the desk becomes a machine. It boots in the background. */
export async function virtualMachine({ admin: { page }, panel }: World): Promise<void> {
  await page.goto(`${panel}/admin/nodes`)
  await page.getByRole('link', { name: 'local' }).first().click()
  for (const name of [/^Also without KVM/, /^Takes new virtual machines/]) {
    const takes = page.getByRole('switch', { name })
    await takes.click()
    await until(() => takes.isChecked())
  }

  await page.goto(`${panel}/servers/new?kind=vm`)
  const dialog = page.getByRole('dialog')
  await page.getByText('Cloud image', { exact: true }).click()
  await button(page, 'Add image').click()
  await dialog.getByText('Upload', { exact: true }).click()
  await dialog.getByLabel('Medium file').setInputFiles({
    name: 'Tiny.raw',
    mimeType: 'application/octet-stream',
    buffer: await tinySystem(),
  })
  await button(page, 'Upload medium').click()
  await dialog.waitFor({ state: 'detached' })
  await button(page, 'Add network').click()
  await field(dialog, 'Name').fill('Guests')
  await button(dialog, 'Add network').click()
  await dialog.waitFor({ state: 'detached' })
  // Offered as soon as it has passed its check.
  const image = page.getByRole('combobox', { name: 'Image' })
  await image.waitFor()
  await until(async () => (await image.inputValue()).startsWith('Tiny'))
  await field(page, 'Name').fill('A machine')
  await page.getByLabel('SSH keys').fill(KEY)
  await field(page, 'Processors').fill('1')
  await field(page, 'Memory').fill('256 MiB')
  await field(page, 'System disk').fill('1 GiB')
  await button(page, 'Create machine').click()
  await heading(page, 'A machine').waitFor()
}

/**
 * Input reaches the machine through its serial console and on its screen, and it powers off when its
 * button is pressed.
 */
export async function machineAtWork({ admin: { page }, panel }: World): Promise<void> {
  await openServer(page, panel, 'A machine')
  await page.getByText('Running', { exact: true }).first().waitFor({ timeout: 300_000 })
  const serial = (await openTab(page, 'Serial', 'Serial console of A machine')).locator(
    '.xterm-rows',
  )
  await serial.getByText(GREETING).waitFor({ timeout: 300_000 })
  await page.locator('.xterm-helper-textarea').focus()
  await page.keyboard.type('anybody there')
  await serial.getByText('anybody there').waitFor()

  const screen = await openTab(page, 'Screen', 'Screen of A machine')
  const picture = screen.locator('canvas').first()
  await until(() => picture.evaluate(hasSigns))
  await picture.click()
  await page.keyboard.type(' at the screen')
  await openTab(page, 'Serial', 'Serial console of A machine')
  await serial.getByText('anybody there at the screen').waitFor()

  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await button(page, 'Stop server').click()
  await page.getByText('Stopped', { exact: true }).first().waitFor({ timeout: 120_000 })
  // It powered off itself: otherwise the node would have cut its power.
  await page.getByText('It was shut down by its own system.').waitFor()
}

/** Opens a tab of the server and waits until what it shows is connected to the machine. */
async function openTab(page: Page, tab: string, shows: string): Promise<Locator> {
  await page.getByRole('link', { name: tab, exact: true }).click()
  const pane = page.getByRole('region', { name: shows })
  await pane.getByText('Connected', { exact: true }).waitFor()
  return pane
}

/** Whether anything is written on a screen. Runs in the browser. */
function hasSigns(canvas: Element): boolean {
  if (!(canvas instanceof HTMLCanvasElement) || canvas.width === 0) return false
  const screen = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height)
  return screen?.data.some((value, at) => at % 4 !== 3 && value > 60) ?? false
}
