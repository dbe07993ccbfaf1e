import type { AddressInfo } from 'node:net'
import { createServer, type Server } from 'node:net'
import type { FrameLocator } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { samplePackage } from '../../support/plugin.ts'
import type { Lodge } from '../../support/stack.ts'
import { type Browser, openBrowser } from '../support/browser.ts'
import { startPanel } from '../support/panel.ts'
import { beOn, expectReadableInTurn } from '../support/visit.ts'

// Pages of plugins as people see them, and what a malicious page can access: nothing.

let lodge: Lodge
let browser: Browser
let admin: Caller
let customer: Caller
let serverId: string
/** An outside server, which counts its callers. */
let outside: Server
let calls: string[]

beforeAll(async () => {
  lodge = await startPanel()
  browser = await openBrowser(lodge.origin)
  admin = await lodge.admin()
  customer = await lodge.customer()
  const node = await lodge.node()
  const { id: templateId } = await lodge.template()
  const about = { ownerId: customer.id, templateId, nodeId: node.id, start: false }
  serverId = await lodge.server({ name: 'lobby', ...about })
  outside = createServer((socket) => {
    calls.push('connected')
    socket.on('error', () => undefined)
    socket.on('data', (data) => {
      calls.push(data.toString('latin1').split('\r\n')[0] ?? '')
      socket.end('HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n')
    })
  })
  await new Promise<void>((done) => outside.listen(0, '127.0.0.1', done))
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  outside?.close()
  await lodge?.[Symbol.asyncDispose]()
})
beforeEach(async () => {
  calls = []
  for (const { id } of (await admin.must('GET /api/plugins')).items)
    await admin.must('DELETE /api/plugins/{plugin}', { params: { plugin: id } })
  await beOn(browser, lodge.origin, customer)
  await browser.page.setViewportSize({ width: 1280, height: 800 })
})

const ECHO = `export default ({ refusal }) => ({ page: { request(given) {
  if (given.method === 'refuse') throw refusal('sorry', 'Not today')
  return { answer: given }
} } })`
const PAGES = [
  {
    ...{ id: 'probe', title: { en: 'Probe', de: 'Probe' }, audience: 'customers', icon: 'star' },
    ...{ script: 'page.js', body: 'page.html' },
  },
  {
    ...{ id: 'staff', title: { en: 'Staff' }, audience: 'administrators', icon: 'users' },
    ...{ script: 'page.js', body: 'page.html' },
  },
]

/** Installs a plugin whose pages run this script. */
async function install(script: string, body = '<pre id="out"></pre>'): Promise<void> {
  const manifest = {
    ...{ id: 'probe', name: 'Probe', kinds: ['page'], pages: PAGES },
    permissions: ['pages:customers', 'pages:administrators'],
  }
  const files = { 'page.js': script, 'page.html': body }
  const packed = samplePackage(manifest as never, ECHO, undefined, files)
  await admin.must('POST /api/plugins', {
    body: {
      ...{ source: 'upload', package: packed.toString('base64') },
      ...{ acceptPermissions: true, acceptUnsigned: true },
    },
  })
}

const framed = (title: string): FrameLocator =>
  browser.page.frameLocator(`iframe[title="${title}"]`)

/** The result of a page's script, once there is one. */
async function found(title = 'Probe'): Promise<Readonly<Record<string, unknown>>> {
  const out = framed(title).locator('#out')
  await expect.poll(() => out.textContent()).toMatch(/^\{/)
  return JSON.parse((await out.textContent()) ?? '')
}

/** A script that tries things one after the other and records the result of each. */
const trying = (tries: Readonly<Record<string, string>>) => `
  const ownScript = document.currentScript.textContent
  parent.postMessage({ connection: typeof RTCPeerConnection }, '*')
  let raw
  addEventListener('message', ({ ports: [port] }) => { raw ??= port })
  const out = document.getElementById('out')
  const results = {}
  async function attempt(name, work) {
    try {
      const result = await Promise.race([work(), new Promise((done) => setTimeout(done, 1500, 'nothing'))])
      results[name] = result === undefined ? 'done' : result
    } catch (error) {
      results[name] = error.code && typeof error.code === 'string' ? error.code : error.name
    }
  }
  lodge.ready.then(async () => {
    ${Object.entries(tries)
      .map(([name, work]) => `await attempt('${name}', async () => { ${work} })`)
      .join('\n')}
    out.textContent = JSON.stringify(results)
  })`

test('tasks are shown on the page of a server, in the look and the language of the panel', async () => {
  const { page } = browser
  await admin.must('POST /api/plugins', {
    body: { source: 'bundled', id: 'page-tasks', acceptPermissions: true },
  })
  await page.goto(`/servers/${serverId}`)
  await page.getByRole('link', { name: 'Tasks' }).click()
  const tasks = framed('Tasks')
  await tasks.getByText('There is nothing to do.').waitFor()
  for (const text of ['Update the map', 'Invite <b>Ann</b>']) {
    await tasks.getByLabel('What is there to do?').fill(text)
    await tasks.getByLabel('What is there to do?').press('Enter')
    await tasks.getByText(text, { exact: true }).waitFor()
  }
  await tasks.getByLabel('Update the map', { exact: true }).check()
  await tasks.locator('.done').waitFor()
  await tasks.getByRole('button', { name: 'Remove Invite <b>Ann</b>' }).click()
  await tasks.getByText('Invite <b>Ann</b>').waitFor({ state: 'detached' })
  await page.reload()
  await tasks.locator('.done').getByText('Update the map').waitFor()
  expect(await page.title()).toContain('Tasks')
  await page.goto(`/servers/${serverId}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('tas')
  await page.getByRole('option', { name: 'Tasks' }).click()
  await page.waitForURL(`**/servers/${serverId}/pages/page-tasks/tasks`)
  await tasks.locator('.done').waitFor()
  await expectReadableInTurn(browser, 'plugin-page-server')
  const colour = (element: Element) => getComputedStyle(element).color
  const [own, panels] = await Promise.all([
    tasks.locator('.done').evaluate(colour),
    tasks.locator('html').evaluate((root) => getComputedStyle(root).colorScheme),
  ])
  expect([panels, own]).toEqual(['dark', expect.stringMatching(/^rgb/)])

  // Its tab is added after the page has loaded, which keeps its own title.
  await page.goto(`/servers/${serverId}/schedules/new`)
  await page.locator('[data-tab]').getByText('Tasks').waitFor({ state: 'attached' })
  await expect.poll(() => page.title()).toContain('New schedule')
})

test('pages are in the navigation of their audience, and disappear immediately with their plugin', async () => {
  const { page } = browser
  await page.goto('/servers')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await install(trying({ asked: `return (await lodge.call('hello', { x: 1 })).caller.role` }))
  await page.getByRole('link', { name: 'Probe' }).click()
  await page.waitForURL('**/pages/probe/probe')
  expect(await found()).toEqual({ asked: 'customer' })
  expect(await page.getByRole('link', { name: 'Staff' }).count()).toBe(0)
  await page.goto('/admin/pages/probe/staff')
  await page.getByText('There is no such page').waitFor()
  await beOn(browser, lodge.origin, admin)
  await page.goto('/admin')
  await page.getByRole('link', { name: 'Staff' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('sta')
  await page.getByRole('option', { name: 'Staff' }).click()
  await page.waitForURL('**/admin/pages/probe/staff')
  await page.getByRole('heading', { name: 'Staff' }).waitFor()
  expect(await found('Staff')).toEqual({ asked: 'administrator' })
  await expectReadableInTurn(browser, 'plugin-page')
  await page.setViewportSize({ width: 1280, height: 800 })
  await admin.must('PATCH /api/plugins/{plugin}', {
    ...{ params: { plugin: 'probe' }, body: { enabled: false } },
  })
  await page.getByText('There is no such page').waitFor()
  expect(await page.locator('iframe').count()).toBe(0)
  expect(await page.getByRole('link', { name: 'Staff' }).count()).toBe(0)
  await admin.must('PATCH /api/plugins/{plugin}', {
    ...{ params: { plugin: 'probe' }, body: { enabled: true } },
  })
  expect(await found('Staff')).toEqual({ asked: 'administrator' })
})

test('a page gets what it may request from the panel, and nothing else', async () => {
  const { page } = browser
  await install(
    trying({
      language: 'return lodge.context.language',
      server: 'return lodge.context.server',
      colour: `return getComputedStyle(document.documentElement).getPropertyValue('--l-text') !== ''`,
      refused: `await lodge.call('refuse')`,
      large: `await lodge.call('hello', 'x'.repeat(70000))`,
      cyclic: 'const one = {}; one.one = one; await lodge.call("hello", one)',
      polluting: `await lodge.call('hello', JSON.parse('{"__proto__":{"polluted":true}}'))`,
      method: `await lodge.call('__proto__')`,
      garbage: `for (const ask of ['call', 'navigate', 'height', 'toast', 'constructor'])
          for (const given of [undefined, null, NaN, -1e12, 1e12, {}, [], new Uint8Array(1e6), 'x'.repeat(1e6)])
            raw.postMessage({ id: given, ask, method: given, payload: given, path: given, height: given, text: given })
        for (const whole of [null, 1, 'x', [], { __proto__: null, ask: 'call', id: 1 }]) raw.postMessage(whole)
        return (await lodge.call('hello')).caller.role`,
      // Addresses that are no page of the panel for the signed-in person, or that have an effect when
      // opened.
      ...Object.fromEntries(
        ['/login', '/accept', '//outside.example', '/api/auth/me', '/nowhere', '/servers?q=x']
          .concat(['/servers/../login', 'javascript:alert(1)', 'https://outside.example/'])
          .map((path, at) => [`path${at}`, `await lodge.navigate(${JSON.stringify(path)})`]),
      ),
      toast: `lodge.toast('<b>Hello</b>')`,
    }),
  )
  await page.goto('/pages/probe/probe')
  const results = await found()
  expect(results).toMatchObject({
    ...{ language: 'en', server: null, colour: true, refused: 'sorry', toast: 'done' },
    ...{
      large: 'not_valid',
      cyclic: 'TypeError',
      garbage: 'customer',
      method: 'validation_failed',
    },
    polluting: 'malformed_json',
  })
  const paths = Object.entries(results).filter(([name]) => name.startsWith('path'))
  expect(paths.map(([, result]) => result)).toEqual(paths.map(() => 'not_found'))
  await page.getByText('<b>Hello</b>').waitFor()
  expect(await page.evaluate(() => ({}) as { polluted?: true })).toEqual({})
  await framed('Probe')
    .locator('body')
    .evaluate(() => {
      ;(globalThis as unknown as { lodge: { navigate(path: string): void } }).lodge.navigate(
        '/servers',
      )
    })
  await page.waitForURL('**/servers')
  browser.faults.length = 0
})

test('a page can read nothing of the panel, call nothing with its session and reach no network', async () => {
  const { page, context } = browser
  const at = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`
  const load = (element: string, given: string) =>
    `const made = Object.assign(document.createElement('${element}'), ${given})
     return new Promise((done) => {
       made.onload = () => done('loaded')
       made.onerror = () => done('blocked')
       document.body.append(made)
     })`
  await install(
    trying({
      parentDocument: 'return parent.document.title',
      topStorage: 'return top.localStorage.length',
      cookie: 'return document.cookie',
      storage: 'return localStorage.length',
      session: 'return sessionStorage.length',
      database: `return await new Promise((done, failed) => {
        const asked = indexedDB.open('x'); asked.onsuccess = () => done('opened'); asked.onerror = () => failed(asked.error) })`,
      origin: 'return self.origin',
      topNavigation: `top.location.href = '${at}/top'; return 'tried'`,
      popup: `return window.open('${at}/popup') === null ? 'none' : 'open'`,
      linkOut: `Object.assign(document.createElement('a'), { href: '${at}/link', target: '_blank' }).click()`,
      linkTop: `Object.assign(document.createElement('a'), { href: '/login', target: '_top' }).click()`,
      api: `return (await fetch('${lodge.origin}/api/auth/me', { credentials: 'include' })).status`,
      fetchOut: `return (await fetch('${at}/fetch', { mode: 'no-cors' })).type`,
      beacon: `navigator.sendBeacon('${at}/beacon'); return 'tried'`,
      socket: `return await new Promise((done) => {
        const made = new WebSocket('${at.replace('http', 'ws')}/socket'); made.onopen = () => done('open'); made.onerror = () => done('blocked') })`,
      events: `return await new Promise((done) => {
        const made = new EventSource('${at}/events'); made.onopen = () => done('open'); made.onerror = () => done('blocked') })`,
      image: load('img', `{ src: '${at}/image' }`),
      ownImage: load('img', `{ src: '${lodge.origin}/favicon.svg' }`),
      script: load('script', `{ src: '${at}/script' }`),
      ownScript: load('script', `{ src: '${lodge.origin}/api/openapi.json' }`),
      inline: `const made = document.createElement('script')
        made.textContent = 'globalThis.ran = true'
        document.body.append(made)
        return String(globalThis.ran)`,
      handler: `document.body.insertAdjacentHTML('beforeend', '<img src="data:," onerror="globalThis.handled = true">')
        await new Promise((done) => setTimeout(done, 200))
        return String(globalThis.handled)`,
      evaluated: `return eval('1 + 1')`,
      imported: `return await import('${at}/module')`,
      style: load('link', `{ rel: 'stylesheet', href: '${at}/style' }`),
      background: `document.body.style.backgroundImage = 'url(${at}/background)'; return 'tried'`,
      prefetch: `document.head.append(Object.assign(document.createElement('link'), { rel: 'prefetch', href: '${at}/prefetch' })); return 'tried'`,
      frame: `document.body.append(Object.assign(document.createElement('iframe'), { src: '${at}/frame' })); return 'tried'`,
      form: `const made = Object.assign(document.createElement('form'), { action: '${at}/form', method: 'post' })
        document.body.append(made); made.submit(); return 'tried'`,
      worker: `return await new Promise((done) => {
        const made = new Worker(URL.createObjectURL(new Blob(['postMessage(1)']))); made.onmessage = () => done('ran'); made.onerror = () => done('blocked') })`,
      connection: 'return typeof RTCPeerConnection + typeof webkitRTCPeerConnection',
      innerWindow: `const inner = document.body.appendChild(document.createElement('iframe'))
        return typeof inner.contentWindow.RTCPeerConnection`,
      // The one script that can run in there is this one, which tries to escape from there as well.
      innerScript: `const inner = document.createElement('iframe')
        const told = new Promise((done) => addEventListener('message', ({ source, data }) =>
          source === inner.contentWindow && data?.connection && done(data.connection)))
        inner.srcdoc = '<script>' + ownScript + '</scr' + 'ipt>'
        document.body.append(inner)
        return told`,
      ping: `Object.assign(document.createElement('a'), { href: '#x', ping: '${at}/ping' }).click(); return 'tried'`,
    }),
  )
  await page.goto('/pages/probe/probe')
  const results = await found()
  expect(results).toEqual({
    ...{ parentDocument: 'SecurityError', topStorage: 'SecurityError', cookie: 'SecurityError' },
    ...{ storage: 'SecurityError', session: 'SecurityError', origin: 'null' },
    database: expect.stringMatching(/Error$/),
    topNavigation: expect.stringMatching(/^(tried|SecurityError)$/),
    ...{ popup: 'none', linkOut: 'done', linkTop: 'done' },
    ...{ api: 'TypeError', fetchOut: 'TypeError', beacon: 'tried' },
    ...{ socket: 'blocked', events: 'blocked', image: 'blocked', ownImage: 'blocked' },
    ...{ script: 'blocked', ownScript: 'blocked', inline: 'undefined', handler: 'undefined' },
    ...{ evaluated: 'EvalError', imported: 'TypeError', style: 'blocked', background: 'tried' },
    ...{
      prefetch: 'tried',
      frame: 'tried',
      form: 'tried',
      worker: expect.not.stringMatching('ran'),
    },
    ...{ connection: 'undefinedundefined', innerWindow: 'SecurityError', innerScript: 'undefined' },
    ping: 'tried',
  })
  expect([new URL(page.url()).pathname, context.pages()]).toEqual(['/pages/probe/probe', [page]])
  expect(calls).toEqual([])
  browser.faults.length = 0
})

test('a page cannot navigate its frame away, and another document there gets nothing', async () => {
  const { page } = browser
  const at = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`
  for (const to of [`${at}/self`, 'data:text/html,<pre id=out>there</pre>', '/api/auth/me']) {
    await install(`lodge.ready.then(() => { location.href = ${JSON.stringify(to)} })`)
    await page.goto('/pages/probe/probe')
    const inner = () => page.frames()[1]
    await expect.poll(() => inner()?.url() ?? '').not.toMatch(/^$|^about:blank|\/frames\/plugins\//)
    expect(await page.locator('iframe').getAttribute('sandbox')).toBe('allow-scripts')
    if (to.startsWith('/api'))
      expect(await inner()?.locator('body').textContent()).not.toContain(customer.email)
    await admin.must('DELETE /api/plugins/{plugin}', { params: { plugin: 'probe' } })
  }
  expect(calls).toEqual([])
  browser.faults.length = 0
})

test('a page that floods the panel is removed, and no other window is accepted as a page', async () => {
  const { page } = browser
  const flood = `for (let at = 0; at < 5000; at++) parent.postMessage({ lodge: 1, at }, '*')`
  await install(`lodge.ready.then(() => { ${flood} })`)
  await page.goto('/pages/probe/probe')
  await page.getByText('The page was stopped').waitFor()
  expect(await page.locator('iframe').count()).toBe(0)
  await page.getByRole('button', { name: 'Load again' }).click()
  await page.getByText('The page was stopped').waitFor()
  await admin.must('DELETE /api/plugins/{plugin}', { params: { plugin: 'probe' } })
  await install(`lodge.ready.then(async () => {
    const asked = Array.from({ length: 60 }, () => lodge.call('hello').catch(({ code }) => code))
    const outcomes = await Promise.all(asked)
    document.getElementById('out').textContent = JSON.stringify({ busy: outcomes.filter((one) => one === 'too_many_requests').length })
  })`)
  await page.goto('/pages/probe/probe')
  expect(await found()).toEqual({ busy: 44 })
  // Another window that claims to be a page gets no response.
  const answered = await page.evaluate(
    () =>
      new Promise((done) => {
        addEventListener('message', ({ ports }) => ports.length > 0 && done('answered'))
        postMessage({ lodge: 1, origin: 'null' }, '*')
        setTimeout(done, 300, 'nothing')
      }),
  )
  expect(answered).toBe('nothing')
  browser.faults.length = 0
})
