import { readdir, readFile } from 'node:fs/promises'
import { runProgram } from '@lodge/driver/run-program.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findSandbox, inSandbox } from './sandbox.ts'
import { FileFixture, UID } from './testing/file-fixture.ts'

let files: FileFixture
beforeAll(async () => {
  files = await FileFixture.open()
})
afterAll(() => files.close())

/** What a process in the sandbox finds out about its surroundings. */
const LOOK = `
  const fs = require('node:fs')
  const see = (path) => { try { return fs.readdirSync(path) } catch (error) { return error.code } }
  console.log(JSON.stringify({
    root: see('/'), etc: see('/etc'), home: see('/root'), data: see('/data'),
    networks: Object.keys(require('node:os').networkInterfaces()),
    processes: see('/proc').filter((name) => /^[0-9]+$/.test(name)).length,
    environment: Object.keys(process.env).toSorted(),
  }))`

test('the sandbox holds the data and nothing else: no network, no process, no other file', async () => {
  await files.put('/only', 'x')
  const found = await findSandbox()
  // CI runs as root and has the package; elsewhere a node says why it has no sandbox.
  if (!('bubblewrap' in found)) return expect(process.env.CI).toBeUndefined()
  const { program, args } = await inSandbox(found.bubblewrap, {
    program: process.execPath,
    args: ['-e', LOOK],
    readable: [],
    data: { folder: files.data, as: '/data' },
    environment: { SEEN: 'yes' },
  })
  const { code, output } = await runProgram(program, args)
  expect({ code, output }).toMatchObject({ code: 0 })
  const seen = JSON.parse(output)
  expect(seen.data.toSorted()).toEqual(['.lodge', 'only'])
  expect(seen.etc).toBe('ENOENT')
  expect(
    seen.home === 'ENOENT' || seen.home.every((name: string) => !name.startsWith('.ssh')),
  ).toBe(true)
  expect(seen.networks).toEqual(['lo'].filter((name) => seen.networks.includes(name)))
  expect(seen.processes).toBeLessThan(4)
  expect(seen.environment).toEqual(
    ['PWD', 'SEEN'].filter((name) => seen.environment.includes(name)),
  )
})

test('a helper runs as the user of its server, without any capability', async () => {
  await files.list('/')
  const helpers: string[] = []
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const [command = '', status = ''] = await Promise.all(
      ['cmdline', 'status'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')),
    )
    const ours = command.includes('files/helper.ts') && command.includes(String(UID))
    if (ours && !command.includes('bwrap')) helpers.push(status)
  }
  expect(helpers.length).toBeGreaterThan(0)
  for (const status of helpers) {
    expect(status).toMatch(new RegExp(`Uid:\\s+${UID}\\s+${UID}\\s+${UID}\\s+${UID}\\n`))
    expect(status).toMatch(/CapEff:\s+0+\n/)
    expect(status).toMatch(/CapPrm:\s+0+\n/)
    expect(status).toMatch(/NoNewPrivs:\s+1\n/)
    expect(status).toMatch(/Groups:\s*\n/)
  }
})
