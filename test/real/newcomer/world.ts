import type { Locator, Page } from 'playwright-core'
import type { Desk } from './desk.ts'
import type { Machine, Running } from './machine.ts'
import { until } from './must.ts'

export interface Person {
  email: string
  password: string
  /** Their authenticator's secret, once they have one. */
  secret?: string
  page: Page
}

/** What one journey leaves for the next. */
export interface World {
  readonly machine: Machine
  readonly desk: Desk
  npm: Running
  /** Address of the panel, from the banner of `npm start`. */
  panel: string
  admin: Person
  customer: Person
  friend: Person
}

/** Path of the README's clone on the machine. */
export const CLONE = '/root/lodge'

/** Runs `npm start` and returns the address that it prints for other machines. */
export async function npmStart(world: Pick<World, 'machine' | 'npm' | 'panel'>): Promise<void> {
  const npm = world.machine.start('npm start', CLONE)
  world.npm = npm
  await until(() => {
    if (!npm.isRunning) throw new Error(npm.output())
    return npm.output().includes('Ctrl-C ends')
  })
  const address = /http:\/\/10\.97(\.\d+){2}:\d+/.exec(npm.output())?.[0]
  if (!address) throw new Error(`no address for other machines:\n${npm.output()}`)
  world.panel = address
}

export const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name })
export const button = (at: Page | Locator, name: string | RegExp) =>
  at.getByRole('button', { name })
export const field = (at: Page | Locator, label: string) => at.getByLabel(label, { exact: true })

export async function signIn(panel: string, { page, email, password }: Person): Promise<void> {
  await page.goto(`${panel}/login`)
  await field(page, 'E-mail').fill(email)
  await field(page, 'Password').fill(password)
  await button(page, 'Continue').click()
}

/** Creates a server through the form, which then shows its page. */
export async function createServer(
  page: Page,
  template: RegExp,
  name: string,
  cpu?: string,
): Promise<void> {
  await page.getByRole('radio', { name: template }).press('Space')
  await field(page, 'Name').fill(name)
  if (cpu) await field(page, 'CPU').fill(cpu)
  // Disabled, with the reason, while no node has capacity.
  await button(page, 'Create server').and(page.locator(':not([aria-disabled=true])')).click()
  await heading(page, name).waitFor()
}

/** Creates a server through the form and waits until it runs. */
export async function makeServer(...server: Parameters<typeof createServer>): Promise<void> {
  const [page] = server
  await createServer(...server)
  await page.getByText('Running', { exact: true }).first().waitFor({ timeout: 300_000 })
}

/** Opens a server from the list. */
export async function openServer(page: Page, panel: string, name: string): Promise<void> {
  await page.goto(`${panel}/servers`)
  await page.getByRole('link', { name }).first().click()
  await heading(page, name).waitFor()
}

/** Address and port of the server on the open page. */
export async function addressOf(page: Page, panel: string): Promise<string> {
  const address = new RegExp(`^${new URL(panel).hostname}:\\d+$`)
  return (await page.getByText(address).first().textContent()) ?? ''
}
