import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../../support/until.ts'
import { type Browser, openBrowser, picture } from '../support/browser.ts'
import { openStage, type Stage } from '../support/stage.ts'
import { beOn, expectReadableInTurn, openScreen } from '../support/visit.ts'

let stage: Stage
let browser: Browser

beforeAll(async () => {
  stage = await openStage()
  browser = await openBrowser(stage.lodge.origin)
  await beOn(browser, stage.lodge.origin, stage.customer)
})

afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await stage?.[Symbol.asyncDispose]()
})

const params = () => ({ id: stage.servers.running })
const at = (below = ''): string => `/servers/${stage.servers.running}/schedules${below}`
const schedules = async () =>
  (await stage.customer.must('GET /api/servers/{id}/schedules', { params: params() })).items
const button = (name: string) => browser.page.getByRole('button', { name, exact: true })
const field = (name: string) => browser.page.getByLabel(name, { exact: true })
const preview = () => browser.page.getByRole('region', { name: 'Next runs' })
const repeat = async (way: string) => {
  await browser.page.getByRole('combobox', { name: 'Repeats' }).click()
  await browser.page.getByRole('option', { name: way, exact: true }).click()
}

test('a daily restart is created from the preset of an empty list', async () => {
  const { page } = browser
  await openScreen(browser, at())
  await page.getByText('No schedules yet').waitFor()
  await expectReadableInTurn(browser, 'schedules-empty')
  await page.getByRole('link', { name: /^Daily restart/ }).click()
  await preview().getByText('Every day at 04:00').waitFor()
  await preview().getByRole('listitem').nth(4).waitFor()
  await expectReadableInTurn(browser, 'schedule-new')
  // Another preset replaces what was entered, but not without a question.
  await field('Name (optional)').fill('Mine')
  const another = page.getByRole('radio', { name: /^Your own/ })
  await page.getByRole('radio', { name: /^Daily restart/ }).press('ArrowUp')
  const question = page.getByRole('dialog', { name: 'Discard changes?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await question.waitFor({ state: 'detached' })
  expect(await field('Name (optional)').inputValue()).toBe('Mine')
  expect(await another.isChecked()).toBe(false)
  await another.press('Space')
  await question.getByRole('button', { name: 'Discard changes' }).click()
  await expect.poll(() => field('Name (optional)').inputValue()).toBe('')
  await page.getByRole('radio', { name: /^Daily restart/ }).press('Space')
  await expect.poll(() => field('Name (optional)').inputValue()).toBe('Daily restart')
  await button('Create schedule').click()
  await page.getByText('No runs yet').waitFor()
  const [made] = await schedules()
  expect(made).toMatchObject({
    name: 'Daily restart',
    cron: '0 4 * * *',
    tasks: [
      { action: 'command', otherwise: 'end', conditions: [{ about: 'state', in: ['running'] }] },
      { action: 'wait', seconds: 300 },
      { action: 'power', power: 'restart' },
    ],
  })
})

test('fields and expression stay in sync, and the preview shows the effect of daylight saving time', async () => {
  const { page } = browser
  const [made] = await schedules()
  await openScreen(browser, at(`/${made?.id}/edit`))
  await field('Cron expression').fill('15 6 * * mon,fri')
  await preview()
    .getByText(/^Every Monday, Friday at 06:15/)
    .waitFor()
  await expect.poll(() => field('Time').inputValue()).toBe('06:15')
  expect(await field('Friday').isChecked()).toBe(true)
  await field('Time').fill('02:30')
  await expect.poll(() => field('Cron expression').inputValue()).toBe('30 2 * * 1,5')

  await field('Cron expression').fill('30 2 28 3 *')
  await page.getByRole('combobox', { name: 'Time zone' }).fill('Europe/Berlin')
  await page.getByRole('option', { name: 'Europe/Berlin', exact: true }).click()
  await preview().getByText('02:30 does not exist on March 28, 2027: runs at 03:00').waitFor()

  await field('Cron expression').fill('61 4 * * *')
  await page
    .getByText(/has a minute that is not understood, 61/)
    .first()
    .waitFor()
  await button('Save schedule').click()
  await page.locator('[aria-invalid="true"]:focus').and(field('Cron expression')).waitFor()
  expect((await schedules())[0]?.cron).toBe('0 4 * * *')

  await repeat('At an interval')
  await field('Every').fill('6')
  await page.getByRole('combobox', { name: 'Unit' }).first().click()
  await page.getByRole('option', { name: 'hours', exact: true }).click()
  await preview().getByText('Every 6 hours').waitFor()
  await button('Save schedule').click()
  await until(async () => (await schedules())[0]?.intervalMinutes === 360)
  // Its tasks were not changed.
  expect((await schedules())[0]?.tasks).toHaveLength(3)
})

test('tasks are added, moved and removed by keyboard alone, and an error is shown at its field', async () => {
  const { page } = browser
  const [made] = await schedules()
  await openScreen(browser, at(`/${made?.id}/edit`))
  const focused = page.locator(':focus')
  await button('Add task').press('Enter')
  await page.getByRole('menuitem', { name: 'Power' }).and(focused).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.getByRole('menuitem', { name: 'Command' }).and(focused).waitFor()
  await page.keyboard.press('Enter')
  const line = page.getByRole('listitem', { name: '4. Command' }).getByLabel('Line')
  await line.and(focused).waitFor()
  await page.keyboard.press('Control+s')
  await page.locator('[aria-invalid="true"]:focus').and(line).waitFor()
  await page.keyboard.type('save-all')
  await button('Move up task 4, Command').press('Enter')
  await button('Remove task 1, Command').press('Enter')
  await picture(page, 'schedule-edit')
  await page.keyboard.press('Control+s')
  await until(async () => (await schedules())[0]?.tasks[1]?.action === 'command')
  expect((await schedules())[0]?.tasks).toMatchObject([
    { action: 'wait' },
    { action: 'command', command: 'save-all' },
    { action: 'power' },
  ])
})

test('saving does not undo what somebody else has changed meanwhile', async () => {
  const { page } = browser
  const [made] = await schedules()
  const line = (name: string) => page.getByRole('listitem', { name }).getByLabel('Line')
  await line('2. Command').fill('say mine')
  await stage.customer.must('PATCH /api/servers/{id}/schedules/{scheduleId}', {
    params: { ...params(), scheduleId: made?.id ?? '' },
    body: { name: 'Theirs', tasks: [{ action: 'command', command: 'say theirs' }] },
  })
  await expect.poll(() => field('Name (optional)').inputValue()).toBe('Theirs')
  await button('Save schedule').click()
  await page.getByText('discard your changes to see theirs').waitFor()
  await picture(page, 'schedule-conflict')
  expect((await schedules())[0]?.tasks).toMatchObject([{ command: 'say theirs' }])
  await button('Discard').click()
  await line('1. Command').fill('say both')
  await button('Save schedule').click()
  await until(async () => JSON.stringify(await schedules()).includes('say both'))
})

test('a run started here is shown live up to the result of each task', async () => {
  const { page } = browser
  const { id } = await stage.customer.must('POST /api/servers/{id}/schedules', {
    params: params(),
    body: {
      name: 'Hourly note',
      intervalMinutes: 60,
      tasks: [
        { action: 'command', command: 'list' },
        { action: 'notify', message: 'The hour is over' },
        {
          action: 'power',
          power: 'restart',
          conditions: [{ about: 'state', in: ['stopped'] }],
        },
      ],
    },
  })
  await openScreen(browser, at(`/${id}`))
  await page.getByText('No runs yet').waitFor()
  await button('Run now').click()
  const history = page.getByRole('list', { name: 'History' })
  await history.getByRole('button', { name: /^Done By / }).waitFor()
  await history.getByText('The server is running').waitFor()
  await expectReadableInTurn(browser, 'schedule-history')

  await openScreen(browser, at())
  await page.keyboard.press('Control+k')
  await page.keyboard.type('run schedule hourly')
  await page.getByRole('option', { name: /^Run schedule Hourly note/ }).waitFor()
  await page.keyboard.press('Escape')
  const row = page.getByRole('row', { name: /Hourly note/ })
  await row.getByText('Done', { exact: true }).waitFor()
  await expectReadableInTurn(browser, 'schedules')
  await row.getByRole('switch').click({ force: true })
  await until(async () => (await schedules()).find((one) => one.id === id)?.enabled === false)
  await row.getByText('None while off').waitFor()
  await row.getByRole('button', { name: 'Actions for Hourly note' }).click()
  await page.getByRole('menuitem', { name: 'Delete schedule…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete schedule' }).click()
  await row.waitFor({ state: 'detached' })
  expect(await schedules()).toHaveLength(1)
  expect(browser.faults).toEqual([])
})

test('the list shows which schedules work offline, and the history which runs were offline', async () => {
  const { page } = browser
  const { pool } = stage.lodge.database
  await pool.query(`update nodes set capabilities = array_append(capabilities, 'agent.schedules')`)
  const { id } = await stage.customer.must('POST /api/servers/{id}/schedules', {
    params: params(),
    body: {
      name: 'Say hello',
      cron: '0 0 1 1 *',
      tasks: [{ action: 'command', command: 'hello' }],
    },
  })
  await pool.query(
    `insert into schedule_runs (id, schedule_id, state, due_at, started_at, ended_at, by_node, results)
     values (gen_random_uuid(), $1, 'done', now() - interval '3 hours', now() - interval '3 hours',
       now() - interval '3 hours' + interval '1 second', true, $2)`,
    [
      id,
      JSON.stringify([
        {
          ...{ action: 'command', state: 'done', detail: null, jobId: null },
          ...{ startedAt: new Date().toISOString(), endedAt: new Date().toISOString() },
        },
      ]),
    ],
  )
  await openScreen(browser, at())
  await page.getByText('Also runs while the node is not connected').first().waitFor()
  await expectReadableInTurn(browser, 'schedules-alone')
  await openScreen(browser, at(`/${id}`))
  await page.getByText('Run by the node while it was not connected').waitFor()
  await expectReadableInTurn(browser, 'schedule-ran-alone')
})
