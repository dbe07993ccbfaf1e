import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { Variables } from '../../control-plane/src/environment.ts'
import { sourceFiles } from './source-files.ts'

const run = promisify(execFile)
const deploy = path.resolve(import.meta.dirname, '../../deploy')
const has = (program: string) => spawnSync('which', [program]).status === 0
// Grafana replaces this with the chosen data source.
const chosenSource = `$${'{datasource}'}`
const dashboards = ['fleet', 'node', 'control-plane']

interface Panel {
  type: string
  datasource?: { uid: string }
  targets?: { expr: string; datasource: { uid: string } }[]
}

function dashboard(name: string) {
  const text = readFileSync(path.join(deploy, 'grafana', `${name}.json`), 'utf8')
  const { uid, tags, templating, panels } = JSON.parse(text)
  return {
    uid,
    tags,
    variables: templating.list as { name: string; definition?: string }[],
    panels: (panels as Panel[]).filter(({ type }) => type !== 'row'),
  }
}

/** Names of metrics in a PromQL expression or in our code, without histogram suffixes. */
const metricsIn = (text: string) =>
  [...text.matchAll(/\blodge_[a-z0-9_]+/g)].map(([name]) =>
    name.replace(/_(bucket|sum|count)$/, ''),
  )

const product = sourceFiles().filter(({ path }) =>
  /^(control-plane|agent|drivers|shared)\/.*(?<!\.test)\.ts$/.test(path),
)
const exported = new Set(
  product
    .filter(({ text }) => text.includes('prom-client') || text.includes('lodge_'))
    .flatMap(({ text }) => metricsIn(text)),
)

test.for(dashboards)(
  'the dashboard %s has a fixed uid and lets its reader choose the data source',
  (name) => {
    const { uid, tags, variables, panels } = dashboard(name)
    expect(uid).toBe(`lodge-${name}`)
    expect(tags).toEqual(['lodge'])
    expect(variables[0]?.name).toBe('datasource')
    expect(panels.length).toBeGreaterThan(5)
    for (const panel of panels) {
      expect(panel.datasource?.uid).toBe(chosenSource)
      for (const target of panel.targets ?? []) expect(target.datasource.uid).toBe(chosenSource)
    }
  },
)

test.for(dashboards)('every metric of the dashboard %s is exported by Lodge', (name) => {
  const { variables, panels } = dashboard(name)
  const named = [
    ...panels.flatMap(({ targets }) => targets?.map(({ expr }) => expr) ?? []),
    ...variables.map(({ definition }) => definition ?? ''),
  ].flatMap(metricsIn)
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((metric) => !exported.has(metric))).toEqual([])
})

test('every metric of the alerts is exported by Lodge', async () => {
  const rules = await readFile(path.join(deploy, 'prometheus/alerts.yml'), 'utf8')
  const named = [...rules.matchAll(/expr: (.*(?:\n {8,}.*)*)/g)].flatMap(([, expr]) =>
    metricsIn(expr!),
  )
  expect(named.length).toBeGreaterThan(4)
  expect(named.filter((metric) => !exported.has(metric))).toEqual([])
})

test.skipIf(!has('promtool'))(
  'Prometheus accepts the alerts, and they fire when they should',
  async () => {
    const folder = path.join(deploy, 'prometheus')
    await run('promtool', ['check', 'rules', 'alerts.yml'], { cwd: folder })
    await run('promtool', ['test', 'rules', 'alerts.test.yml'], { cwd: folder })
    const config = await run('promtool', ['check', 'config', '--syntax-only', 'prometheus.yml'], {
      cwd: folder,
    })
    expect(config.stdout).toContain('SUCCESS')
  },
)

test.skipIf(!has('systemd-analyze'))('systemd accepts every line of the units', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-units-'))
  try {
    for (const name of ['lodge-control-plane', 'lodge-agent']) {
      const unit = await readFile(path.join(deploy, 'systemd', `${name}.service`), 'utf8')
      // The program need not be installed on the test machine.
      const file = path.join(folder, `${name}.service`)
      await writeFile(file, unit.replaceAll('/opt/lodge/bin/node', process.execPath))
      const verdict = spawnSync('systemd-analyze', [
        'verify',
        '--man=no',
        '--recursive-errors=no',
        file,
      ])
      const about = verdict.stderr
        .toString()
        .split('\n')
        .filter((line) => line.includes(name))
      expect(about).toEqual([])
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('the unit of the control plane lets plugins have their sandbox', async () => {
  const unit = await readFile(path.join(deploy, 'systemd/lodge-control-plane.service'), 'utf8')
  const set = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1]?.split(' ') ?? []
  expect(set('RestrictAddressFamilies')).toContain('AF_NETLINK')
  expect(set('SystemCallFilter')).toEqual(expect.arrayContaining(['@mount', 'sethostname']))
  for (const name of ['RestrictNamespaces', 'ProtectHostname', 'ProtectKernelTunables'])
    expect(set(name), name).toEqual([])
})

test.for(['install-agent.sh', 'install-control-plane.sh', 'install-common.sh'])(
  'the shell can parse %s',
  async (script) => {
    await run('bash', ['-n', path.join(deploy, script)])
  },
)

test('the image is built from every workspace', async () => {
  const dockerfile = await readFile(path.join(deploy, 'Dockerfile'), 'utf8')
  const lock = JSON.parse(await readFile(path.join(deploy, '../package-lock.json'), 'utf8'))
  const workspaces = Object.keys(lock.packages).filter((at) => at && !at.includes('node_modules'))
  expect(workspaces.length).toBeGreaterThan(5)
  const missing = workspaces.filter((at) => !dockerfile.includes(`COPY ${at}/package.json ${at}/`))
  expect(missing).toEqual([])
})

/** The names of the settings that a configuration passes to the control plane. */
async function settingsOf(file: string): Promise<string[]> {
  const text = await readFile(path.join(deploy, file), 'utf8')
  const named = text.matchAll(
    /^(?: *- (?:\{ name: )?| +|#)?((?:LODGE_|WEB_|DATABASE_)[A-Z0-9_]+)/gm,
  )
  return [...named].map(([, name = '']) => name)
}

test.for([
  'control-plane.env',
  'compose.yml',
  'several/compose.yml',
  'helm/lodge/templates/control-plane.yaml',
])('the control plane knows every setting of %s', async (file) => {
  const settings = await settingsOf(file)
  expect(settings.length).toBeGreaterThan(3)
  expect(settings.filter((name) => !(name in Variables.shape))).toEqual([])
})

test('the chart has the version of the product', async () => {
  const chart = await readFile(path.join(deploy, 'helm/lodge/Chart.yaml'), 'utf8')
  const { version } = JSON.parse(await readFile(path.join(deploy, '../package.json'), 'utf8'))
  expect(chart).toContain(`\nversion: ${version}\n`)
  expect(chart).toContain(`\nappVersion: "${version}"\n`)
})

test('the configuration of HAProxy knows both control planes of the compose file', async () => {
  const compose = await readFile(path.join(deploy, 'several/compose.yml'), 'utf8')
  const configuration = await readFile(path.join(deploy, 'several/haproxy.cfg'), 'utf8')
  const named = [...configuration.matchAll(/ server \w+ ([\w-]+):(\d+)/g)]
  const names = [...compose.matchAll(/^ {2}(control-plane-\d):$/gm)].map(([, name]) => name)
  expect(names).toHaveLength(2)
  for (const port of ['8080', '8443', '2022'])
    expect(named.filter((one) => one[2] === port).map((one) => one[1])).toEqual(names)
})
