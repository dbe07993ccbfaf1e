import type { CDPSession } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PushBrowser, pushBrowser } from '../../api/notifications/push-browser.ts'
import { startPushService } from '../../api/notifications/push-service.ts'
import type { Caller } from '../../support/caller.ts'
import { type Lodge, PASSWORD } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { type Browser, openBrowser } from '../support/browser.ts'
import { startPanel } from '../support/panel.ts'
import { beOn, expectReadableInTurn, openScreen } from '../support/visit.ts'

const SCREEN = '/account/notifications'
const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36'

let lodge: Lodge
let service: Awaited<ReturnType<typeof startPushService>>
let browser: Browser
let devtools: CDPSession
let person: Caller
const registrations = new Map<string, boolean>()

beforeAll(async () => {
  service = await startPushService()
  lodge = await startPanel(service.environment)
  const email = 'told@example.com'
  const { id } = await (await lodge.admin()).must('POST /api/customers', {
    body: { email, password: PASSWORD },
  })
  person = await lodge.session(id, email)
  // The headless shell shows no notifications.
  browser = await opened(true)
  devtools = await browser.context.newCDPSession(browser.page)
  devtools.on('ServiceWorker.workerRegistrationUpdated', (event) => {
    for (const { registrationId, isDeleted } of event.registrations)
      registrations.set(registrationId, !isDeleted)
  })
  await devtools.send('ServiceWorker.enable')
})

/** A browser of the person that may show notifications. */
async function opened(isFull: boolean): Promise<Browser> {
  const flags = [`--user-agent=${USER_AGENT}`]
  const made = await openBrowser(lodge.origin, { isFull, flags })
  await made.context.grantPermissions(['notifications'], { origin: lodge.origin })
  await beOn(made, lodge.origin, person)
  return made
}

afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

const channels = async () => (await person.must('GET /api/notification-channels')).items
const workers = () => [...registrations].filter(([, exists]) => exists).map(([id]) => id)
const turnOn = ({ page } = browser) =>
  page.getByRole('button', { name: 'Turn on notifications here' })

/** The notifications that the worker has shown. */
const shown = () =>
  browser.page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration()
    const notifications = (await registration?.getNotifications()) ?? []
    return notifications.map(({ title, body, icon, tag, data }) => ({
      ...{ title, body, icon, tag, page: data.page },
    }))
  })

/** Delivers a message to the real worker, as the browser does once it has decrypted it. */
async function deliver(data: string): Promise<void> {
  const [registrationId = ''] = await until(() => (workers().length > 0 ? workers() : undefined))
  const { origin } = lodge
  await devtools.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data })
}

/** Stands in for the part of a browser that connects to its vendor's push service. */
async function withPushService(known: PushBrowser, endpoint: string): Promise<void> {
  await browser.page.addInitScript(
    ({ keys, endpoint }) => {
      const kept = 'test subscription'
      const subscription = {
        endpoint,
        toJSON: () => ({ endpoint, keys }),
        unsubscribe: async () => {
          localStorage.removeItem(kept)
          return true
        },
      }
      const present = () => (localStorage.getItem(kept) ? subscription : null)
      Object.assign(PushManager.prototype, {
        getSubscription: async () => present(),
        subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
          localStorage.setItem(kept, applicationServerKey)
          return subscription
        },
      })
    },
    { keys: known.keys, endpoint },
  )
}

test('for a browser that blocks notifications of the panel, the page says so and where to allow them', async () => {
  // The headless shell blocks all of them, regardless of its settings.
  await using shell = await opened(false)
  await openScreen(shell, SCREEN)
  await shell.page.getByText('Notifications of this panel are blocked here').first().waitFor()
  expect(await turnOn(shell).getAttribute('aria-disabled')).toBe('true')
  await expectReadableInTurn(shell, 'push-blocked')
})

test('for a browser that cannot subscribe, the page says so and stores nothing', async () => {
  const { page } = browser
  await page.clock.install()
  await openScreen(browser, SCREEN)
  // Chromium's responses without a push service and behind a firewall.
  await page.evaluate(() => {
    const refused = new DOMException('Registration failed - push service not available')
    const answers = [() => Promise.reject(refused), () => new Promise(() => {})]
    Object.assign(PushManager.prototype, { subscribe: () => answers.shift()?.() })
  })
  await turnOn().click()
  await page.getByText('Notifications were not turned on').waitFor()
  await page
    .getByText('could not subscribe to notifications: Registration failed - push service not')
    .waitFor()
  await until(() => workers().length === 0)
  await expectReadableInTurn(browser, 'push-refused')

  await turnOn().click()
  await until(() => workers().length === 1)
  await until(async () => {
    await page.clock.fastForward(20_000)
    return page.getByText('no answer within 20 seconds').isVisible()
  })
  await until(() => workers().length === 0)
  expect(await channels()).toEqual([])
})

test('a person turns this browser on, is notified there, and turns it off', async () => {
  const { page } = browser
  const known = pushBrowser()
  await withPushService(known, service.receiver.url('/send/1'))
  await openScreen(browser, SCREEN)
  await turnOn().click()
  await page.getByText(/^Chrome on Linux now shows notifications$/).waitFor()
  await page.getByText(/^This browser is your channel Chrome on Linux\./).waitFor()
  await expectReadableInTurn(browser, 'push-on')
  const [channel] = await channels()
  expect(channel).toMatchObject({ kind: 'web_push', name: 'Chrome on Linux', state: 'active' })
  const { publicKey } = await person.must('GET /api/notification-channels/web-push-key')
  expect(await page.evaluate(() => localStorage.getItem('test subscription'))).toBe(publicKey)

  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await page.getByText('The test message arrived at Chrome on Linux').waitFor()
  await page.keyboard.press('Escape')
  const [sent] = service.receiver.at('/send/1')
  const message = known.read(sent?.bytes ?? Buffer.alloc(0))
  await deliver(message)
  const [notification] = await until(async () => {
    const all = await shown()
    return all.length > 0 ? all : undefined
  })
  expect(notification).toEqual({
    title: 'Test message from Lodge',
    body: 'The notification channel Chrome on Linux works.',
    icon: `${lodge.origin}/notification.png`,
    tag: JSON.parse(message).tag,
    page: `${lodge.origin}${SCREEN}`,
  })

  // The browser itself knows which channel is its own, also after a restart.
  await openScreen(browser, SCREEN)
  await page.getByRole('button', { name: 'Turn off' }).click()
  await turnOn().waitFor()
  expect(await channels()).toEqual([])
  await until(() => workers().length === 0)
  expect(await page.evaluate(() => localStorage.getItem('test subscription'))).toBeNull()
})

test('its worker opens only pages of the panel, stores nothing and fetches nothing', async () => {
  const { page, context } = browser
  await openScreen(browser, SCREEN)
  await turnOn().click()
  await page.getByText(/^This browser is your channel/).waitFor()
  await deliver(JSON.stringify({ title: 'Elsewhere', link: 'https://example.com/', tag: 'a' }))
  await deliver(JSON.stringify({ title: 'Script', link: 'javascript:alert(1)', tag: 'b' }))
  await deliver(JSON.stringify({ title: 'Other host', link: '//example.com/x', tag: 'c' }))
  await deliver(JSON.stringify({ title: 'Server', link: '/servers/1/console', tag: 'd' }))
  await until(async () => (await shown()).some(({ title }) => title === 'Server'))
  const pages = Object.fromEntries((await shown()).map((one) => [one.title, one.page]))
  expect(pages).toEqual({
    Elsewhere: `${lodge.origin}/notifications`,
    Script: `${lodge.origin}/notifications`,
    'Other host': `${lodge.origin}/notifications`,
    Server: `${lodge.origin}/servers/1/console`,
  })

  const worker = context.serviceWorkers().at(-1)
  if (!worker) throw new Error('there is no worker')
  // Only a user's click may open a window, so the address is recorded instead.
  const opened = await worker.evaluate(async () => {
    const scope = globalThis as unknown as {
      registration: ServiceWorkerRegistration
      clients: { openWindow: (page: string) => Promise<null> }
      NotificationEvent: new (type: string, given: object) => Event
    }
    const noted: string[] = []
    scope.clients.openWindow = async (page) => {
      noted.push(page)
      return null
    }
    const waiting: Promise<unknown>[] = []
    for (const notification of await scope.registration.getNotifications()) {
      const event = new scope.NotificationEvent('notificationclick', { notification })
      Object.assign(event, { waitUntil: (work: Promise<unknown>) => waiting.push(work) })
      dispatchEvent(event)
    }
    await Promise.all(waiting)
    return noted
  })
  expect(opened.toSorted()).toEqual(Object.values(pages).toSorted())
  await until(async () => (await shown()).length === 0)

  expect(await page.evaluate(() => caches.keys())).toEqual([])
  const { status, headers, text } = await page.evaluate(async () => {
    const response = await fetch('/push-worker.js')
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text: await response.text(),
    }
  })
  expect(status).toBe(200)
  expect(headers).toMatchObject({
    'content-type': expect.stringContaining('javascript'),
    'content-security-policy': "default-src 'none'; img-src 'self'",
    'cache-control': 'no-cache',
  })
  expect(text).not.toMatch(/'fetch'|caches/)
  expect(browser.faults).toEqual([])

  await page.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Remove…' }).click()
  await page.getByRole('button', { name: 'Remove channel' }).click()
  await turnOn().waitFor()
  await until(() => workers().length === 0)
})

test('signing out ends the notifications of this browser', async () => {
  const { page } = browser
  // This session remains, and shows it.
  const other = await lodge.session(person.id, person.email)
  await beOn(browser, lodge.origin, await lodge.session(person.id, person.email))
  await openScreen(browser, SCREEN)
  await turnOn()
    .or(page.getByText(/^This browser is your channel/))
    .waitFor()
  if (await turnOn().isVisible()) await turnOn().click()
  await page.getByText(/^This browser is your channel/).waitFor()
  const before = (await other.must('GET /api/notification-channels')).items
  expect(before).toMatchObject([{ kind: 'web_push' }])
  await page.getByRole('button', { name: `Account ${person.email}` }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Continue' }).waitFor()
  expect((await other.must('GET /api/notification-channels')).items).toEqual([])
  await until(() => workers().length === 0)
  expect(await page.evaluate(() => localStorage.getItem('test subscription'))).toBeNull()
})
