import { readFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { at } from '../../api/files/world.ts'
import type { Caller } from '../../support/caller.ts'
import { PASSWORD } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { addFiles } from '../support/all-screens.ts'
import { type Browser, openBrowser } from '../support/browser.ts'
import { Keyboard } from '../support/keyboard.ts'
import { openStage, type Stage } from '../support/stage.ts'
import { beOn } from '../support/visit.ts'

let stage: Stage
let browser: Browser
let person: Keyboard
/** Steps by journey, as documented. */
let documented: ReadonlyMap<string, number>

beforeAll(async () => {
  stage = await openStage()
  browser = await openBrowser(stage.lodge.origin)
  await browser.page.setViewportSize({ width: 320, height: 700 })
  person = new Keyboard(browser.page)
  const text = await readFile(new URL('../../../docs/journeys.md', import.meta.url), 'utf8')
  documented = new Map(
    [...text.matchAll(/^\| ([A-Z][^|]+?) *\|[^|]*\|[^|]*\| (\d+) *\|$/gm)].map(
      ([, name, steps]) => [name ?? '', Number(steps)],
    ),
  )
})

afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await stage?.[Symbol.asyncDispose]()
})

const walked = new Set<string>()
const as = (one?: Caller) => beOn(browser, stage.lodge.origin, one)
const heading = (name: string | RegExp) =>
  browser.page.getByRole('heading', { level: 1, name }).waitFor()
/** The accessibility tree of the main part. */
const tree = () => browser.page.getByRole('main').ariaSnapshot()
const server = (part: keyof Stage['servers'], tab = '') => `/servers/${stage.servers[part]}${tab}`

describe('by keyboard alone, on 320 pixels', () => {
  beforeEach(({ task }) => void walked.add(task.name))
  afterEach(({ task }) => {
    if (task.result?.state !== 'fail') expect(person.steps).toBe(documented.get(task.name))
    expect(browser.faults).toEqual([])
  })

  test('Sign in', async () => {
    await as()
    await person.begin('/login')
    await person.fill('E-mail', 'root@example.com')
    await person.fill('Password', PASSWORD)
    await person.press('Enter')
    await heading('Overview')
    await browser.page.getByRole('region', { name: 'Needs attention' }).waitFor()
    expect(await tree()).toContain('- region "Needs attention"')
  })

  test('Open a console', async () => {
    await as(stage.customer)
    await person.begin('/jobs')
    await person.press('ControlOrMeta+k')
    await person.type('console of under')
    await browser.page
      .getByRole('option', { name: 'Open console of Under the hill', selected: true })
      .first()
      .waitFor()
    await person.press('Enter')
    await heading('Under the hill')
    await browser.page.getByText('Connected', { exact: true }).waitFor()
    expect(await tree()).toContain('- textbox "Command"')
  })

  test('Stop a server', async () => {
    await person.begin('/servers')
    await person.choose('button', 'Stop Under the hill')
    await browser.page.getByRole('dialog', { name: 'Stop Under the hill?' }).waitFor()
    await person.choose('button', 'Stop')
    await browser.page.getByRole('row', { name: /Under the hill.*Stopped/ }).waitFor()
  })

  test('Send a command', async () => {
    await start('running')
    await person.begin(server('running', '/console'))
    await browser.page.getByText('Connected', { exact: true }).waitFor()
    await person.fill('Command', 'say hello')
    await person.press('Enter')
    await until(() =>
      stage.agent.driver.runtime.servers
        .get(stage.servers.running)
        ?.workload?.inputs.includes('say hello'),
    )
  })

  test('Create a server', async () => {
    await person.begin('/servers')
    await person.choose('link', 'New server')
    await person.fill('Name', 'By hand')
    await person.choose('button', 'Create server')
    await heading('By hand')
    expect(await tree()).toContain('- button "Start"')
  })

  test('Share a server', async () => {
    await person.begin(server('running', '/access'))
    await person.choose('button', 'Invite somebody')
    await person.fill('E-mail', 'friend@example.com')
    await person.choose('button', 'Send invitation')
    await person.choose('button', 'Done')
    await browser.page.getByRole('cell', { name: 'friend@example.com', exact: true }).waitFor()
  })

  test('Undo a deletion', async () => {
    await person.begin(server('stopped', '/settings'))
    await person.choose('button', 'Delete server')
    await person.fill(/to confirm$/, 'Winter archive')
    await person.press('Enter')
    await browser.page.getByText('This server will be deleted').waitFor()
    await person.choose('button', 'Restore')
    await browser.page.getByText('This server will be deleted').waitFor({ state: 'detached' })
  })

  test('Change a variable', async () => {
    await person.begin(server('running', '/startup'))
    await person.fill('Players', '30')
    await person.press('Enter')
    await until(async () => {
      const { variables } = await stage.customer.must('GET /api/servers/{id}/startup', {
        params: { id: stage.servers.running },
      })
      return variables.some(({ env, value }) => env === 'PLAYERS' && value === '30')
    })
  })

  test('Change a file', async () => {
    await addFiles(stage)
    await person.begin(server('running', '/files'))
    await person.choose('link', 'server.properties')
    await person.choose('textbox', 'Text of server.properties')
    await person.type('pvp=false')
    await person.press('ControlOrMeta+s')
    await until(async () => {
      const url = at(stage.servers.running, '/content', { path: '/server.properties' })
      return (await stage.customer.send({ method: 'GET', url })).body.includes('pvp=false')
    })
    expect(await tree()).toContain('- button "Save" [disabled]')
  })

  test('Understand a crash', async () => {
    await as(stage.admin)
    await person.begin('/admin')
    await person.choose('link', /Open server.*Modded survival/)
    await heading('Modded survival')
    await person.choose('button', 'More')
    await person.choose('link', 'Crashes')
    await browser.page.getByText('out of memory').first().waitFor()
    expect(await tree()).toContain('Crash policy')
  })

  test('Add a node', async () => {
    await person.begin('/admin/nodes')
    await person.choose('link', 'Add node')
    await person.fill('Name', 'nuremberg-1')
    await person.press('Enter')
    await browser.page.getByLabel('Command that joins the node').waitFor()
  })

  test('Add a customer', async () => {
    await person.begin('/admin/customers')
    await person.choose('link', 'New customer')
    await person.fill('E-mail', 'sam@example.com')
    await person.press('Enter')
    await heading(/sam@example.com/)
  })

  test('Find who did something', async () => {
    await person.begin('/admin')
    await person.press('ControlOrMeta+k')
    await person.type('audit')
    await browser.page.getByRole('option', { name: 'Audit', selected: true }).waitFor()
    await person.press('Enter')
    await heading('Audit')
    await person.fill('Search words, names, addresses', 'suspended')
    await browser.page
      .getByRole('list', { name: /Audit record/ })
      .getByRole('listitem')
      .first()
      .waitFor()
    expect(await tree()).toContain('root@example.com suspended')
  })
})

async function start(part: keyof Stage['servers']): Promise<void> {
  const params = { id: stage.servers[part] }
  await stage.admin.must('POST /api/servers/{id}/actions', { params, body: { action: 'start' } })
  await until(
    async () => (await stage.admin.must('GET /api/servers/{id}', { params })).status === 'running',
  )
}

test('every documented journey is tested', () => {
  expect([...walked].filter((name) => documented.has(name)).toSorted()).toEqual(
    [...documented.keys()].toSorted(),
  )
})
