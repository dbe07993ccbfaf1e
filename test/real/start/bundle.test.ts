import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bringMail } from '../../support/mail-bridge.ts'
import { until } from '../../support/processes.ts'
import { administrator, placeIn } from './lodge.ts'

const run = promisify(execFile)
const repository = path.resolve(import.meta.dirname, '../../..')
const children: ChildProcess[] = []
let folder: string

beforeAll(async () => {
  folder = await mkdtemp('/tmp/lodge-bundle-')
  await chmod(folder, 0o755)
})

afterAll(async () => {
  for (const child of children.toReversed()) {
    if (child.exitCode !== null) continue
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  await rm(folder, { recursive: true, force: true })
})

test('the bundled programs run on a machine without npm, Node or sources', async () => {
  const dist = path.join(folder, 'dist')
  await run(process.execPath, ['tools/build.mjs', dist], { cwd: repository })
  const place = await placeIn(path.join(folder, 'data'))
  const environment = {
    PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
    NODE_COMPILE_CACHE: path.join(folder, 'cache'),
    LODGE_DATA: place.dataFolder,
    LODGE_PORT: String(place.port),
    LODGE_FLEET_PORT: String(place.fleetPort),
    LODGE_SFTP: 'false',
    LODGE_AGENT_DATA: path.join(folder, 'agent'),
    LODGE_AGENT_DRIVER: 'fake',
    LODGE_LOG_LEVEL: 'error',
    LODGE_AGENT_LOG_LEVEL: 'error',
  }
  const node = path.join(dist, 'bin/node')
  const start = (...args: string[]) => {
    const child = spawn(node, args, {
      cwd: dist,
      env: environment,
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    children.push(child)
    return child
  }

  const panel = start('control-plane/src/main.js')
  const token = path.join(place.dataFolder, 'local-node.join')
  await until(() => {
    if (panel.exitCode !== null) throw new Error('the control plane ended')
    return existsSync(token) || undefined
  })
  for (const arch of ['x64', 'arm64']) {
    const list = path.join(dist, `agent/files-linux-${arch}`)
    await run('sha256sum', ['--check', '--strict', list], { cwd: dist })
    const children = [
      'drivers/libvirt/src/port/child.js',
      'agent/src/files/helper.js',
      'agent/src/guard/process.js',
    ]
    for (const child of children) expect(readFileSync(list, 'utf8')).toContain(child)
  }
  expect(readFileSync(path.join(dist, `agent/files-linux-${process.arch}`), 'utf8')).toContain(
    'koffi.node',
  )
  const page = await fetch(`http://localhost:${place.port}/`)
  expect(await page.text()).toContain('<title>Lodge</title>')

  await run(node, ['agent/src/main.js', 'join', readFileSync(token, 'utf8')], {
    cwd: dist,
    env: environment,
  })
  start('agent/src/main.js', 'run')
  const admin = await administrator(place.port)
  await until(async () => {
    const { items } = await admin.get('/api/nodes')
    return items[0]?.state === 'online' || undefined
  })

  // A thread with a program of its own parses mail.
  const { secret } = await admin.post('/api/support/inbound/secret', {})
  await admin.put('/api/support/inbound/settings', { enabled: true, address: 'support@desk.test' })
  const mail = 'From: ann@example.org\r\nAuto-Submitted: auto-replied\r\n\r\nI am away.\r\n'
  const taken = await bringMail(`http://localhost:${place.port}`, secret, mail)
  expect(taken).toEqual({ status: 200, result: 'ignored' })
})
