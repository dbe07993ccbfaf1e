import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { domains as all } from '../../control-plane/src/domains/index.ts'
import { cyclesAmong } from './cycles.ts'
import { importsOf, type SourceFile, sourceFiles } from './source-files.ts'

// Which rooms may import from which. ARCHITECTURE.md explains why.

/** Each room with those that it may import from besides itself. */
const doors: Record<string, string[]> = {
  shared: [],
  'shared/egress': ['shared'],
  'shared/local': [],
  proto: [],
  'drivers/contract': ['shared'],
  'drivers/docker': ['shared', 'shared/local', 'drivers/contract'],
  'drivers/fake': ['shared', 'drivers/contract'],
  'drivers/libvirt': ['shared', 'shared/egress', 'shared/local', 'drivers/contract'],
  agent: ['shared', 'shared/egress', 'shared/local', 'proto', 'drivers/contract'],
  'control-plane': ['shared', 'shared/egress', 'shared/local', 'proto'],
  web: ['shared', 'control-plane'],
  // Types only: a plugin's process contains nothing of ours but the runner.
  'plugins/sdk': ['shared'],
  bench: [
    'shared',
    'proto',
    'control-plane',
    'agent',
    'drivers/contract',
    'drivers/docker',
    'drivers/fake',
    'test',
  ],
  tools: ['control-plane', 'shared', 'shared/local'],
  'vitest.config.ts': ['test'],
}

/** Bottom to top: a domain imports only from those before it; events reach the others. */
const domains = all.map(({ name }): string => name)
/** The component folders of the panel, bottom to top: each is built on those before it. */
const furniture = [
  'locale',
  'icons',
  'floating',
  'page',
  'buttons',
  'fields',
  'choices',
  'panes',
  'data',
  'charts',
  'notices',
  'lists',
  'dialogs',
  'form',
]
/** Parts of the control plane above the domains, which compose everything. */
const compositions =
  /^control-plane\/src\/((main|lodge|api|compose|modules|domains\/index)\.ts$|start\/|command\/|operators\/)/
const isTest = (file: string) =>
  /\.(test|fixture|owner)\.tsx?$|\/testing(\.ts$|\/)|^test\//.test(file)

const files = sourceFiles()
const product = files.filter(({ path }) => !isTest(path))

function roomOf(file: string): string {
  // Separate rooms, because they do not run in browsers.
  const local = /^shared\/src\/(egress|local)\//.exec(file)
  if (local) return `shared/${local[1]}`
  const [first, second] = file.split('/')
  return first === 'drivers' || first === 'plugins' ? `${first}/${second}` : first!
}

function domainOf(file: string): string | undefined {
  return /^control-plane\/src\/domains\/([^/]+)\//.exec(file)?.[1]
}

/** Lines like `agent/src/main.ts -> drivers/docker/src/driver.ts` for each forbidden import. */
function wrong(
  among: SourceFile[],
  isWrong: (file: SourceFile, found: SourceFile['imports'][number], target: string) => boolean,
): string[] {
  return among.flatMap((file) =>
    file.imports
      .filter((found) => isWrong(file, found, found.target ?? ''))
      .map((found) => `${file.path} -> ${found.target ?? found.specifier}`),
  )
}

test('the scan sees every kind of import', () => {
  const text = [
    "import './a.ts'",
    "import type { B } from './b.ts'",
    'import {',
    '  c,',
    '  type D,',
    "} from '@lodge/shared/units.ts'",
    "export { e } from '../e.ts'",
    "const f = await import('node:f')",
  ].join('\n')
  expect(importsOf('agent/src/x.ts', text)).toEqual([
    { specifier: './a.ts', target: 'agent/src/a.ts', typeOnly: false },
    { specifier: './b.ts', target: 'agent/src/b.ts', typeOnly: true },
    { specifier: '@lodge/shared/units.ts', target: 'shared/src/units.ts', typeOnly: false },
    { specifier: '../e.ts', target: 'agent/e.ts', typeOnly: false },
    { specifier: 'node:f', target: undefined, typeOnly: false },
  ])
  expect(product.length).toBeGreaterThan(50)
})

test('every room imports only from the rooms it may', () => {
  const mayOpen = (file: string, target: string) => {
    const [from, to] = [roomOf(file), roomOf(target)]
    if (from === to || doors[from]?.includes(to)) return true
    if (from.startsWith('plugins/')) return to === 'plugins/sdk' || to === 'shared'
    return file === 'agent/src/main.ts' && to.startsWith('drivers/')
  }
  expect(
    wrong(product, ({ path }, { target }) => target !== undefined && !mayOpen(path, target)),
  ).toEqual([])
})

test('no files import each other in a cycle, not even by types', () => {
  const file = (name: string, ...targets: string[]) => ({
    path: name,
    imports: targets.map((target) => ({ specifier: target, target, typeOnly: true })),
  })
  const circle = [file('a', 'b'), file('b', 'c'), file('c', 'a', 'd'), file('d'), file('e', 'e')]
  expect(cyclesAmong(circle)).toEqual([['a', 'b', 'c'], ['e']])
  expect(cyclesAmong(product)).toEqual([])
})

test('the folders inside a domain import each other in one direction', () => {
  const partOf = (file = '') => /^control-plane\/src\/domains\/[^/]+\/[^/]+/.exec(file)?.[0]
  const parts = Map.groupBy(product, ({ path }) => partOf(path) ?? '')
  parts.delete('')
  const folders = [...parts].map(([path, files]) => ({
    path,
    imports: files
      .flatMap(({ imports }) => imports)
      .map((found) => ({ ...found, target: partOf(found.target) }))
      .filter(({ target }) => target !== path),
  }))
  expect(cyclesAmong(folders)).toEqual([])
})

test('every import of ours resolves to an existing file', () => {
  const known = new Set(files.map(({ path }) => path))
  const asset = /\.(css|json|svg)$|^proto\/gen\//
  expect(
    wrong(
      files,
      (_, { target }) =>
        target !== undefined && !known.has(target.replace(/\?.*$/, '')) && !asset.test(target),
    ),
  ).toEqual([])
})

test('a plugin and its runner import only types from elsewhere, because the sandbox contains nothing else', () => {
  const plugins = product.filter(({ path }) => path.startsWith('plugins/'))
  expect(
    wrong(
      plugins,
      (file, { specifier, target, typeOnly }) =>
        !typeOnly &&
        !specifier.startsWith('node:') &&
        (target === undefined || roomOf(target) !== roomOf(file.path)),
    ),
  ).toEqual([])
})

test('the panel imports only types from the control plane', () => {
  const web = product.filter(({ path }) => roomOf(path) === 'web')
  expect(
    wrong(web, (_, found, target) => roomOf(target) === 'control-plane' && !found.typeOnly),
  ).toEqual([])
})

test('the kernel of the control plane knows no domain', () => {
  const kernel = product.filter(
    ({ path }) =>
      path.startsWith('control-plane/src/') && !domainOf(path) && !compositions.test(path),
  )
  expect(wrong(kernel, (_, __, target) => domainOf(target) !== undefined)).toEqual([])
})

test('a domain imports only from the domains below it, through their index', () => {
  const isFrontDoor = (file: string, target: string) =>
    target === `control-plane/src/domains/${domainOf(target)}/index.ts` ||
    // Foreign keys and joins name the tables of the domains below.
    (path.basename(target) === 'tables.ts' && isData(file))
  const bad = wrong(product, ({ path: file }, _, target) => {
    const [from, to] = [domainOf(file), domainOf(target)]
    if (!from || !to || from === to) return false
    return domains.indexOf(to) >= domains.indexOf(from) || !isFrontDoor(file, target)
  })
  expect(bad).toEqual([])
})

test('every domain has its place in the order', () => {
  const folders = new Set(product.map(({ path }) => domainOf(path)).filter((name) => name))
  expect([...folders].toSorted()).toEqual(domains.toSorted())
  const figure = readFileSync(path.resolve(import.meta.dirname, '../../ARCHITECTURE.md'), 'utf8')
  expect(figure.replaceAll(/\s+/g, ' ')).toContain(domains.join(' · '))
})

/**
 * The files of a domain that contain SQL: `tables.ts`, `store.ts`, and files that consist of queries
 * only. Domains that only read and count are such files.
 */
const isData = (file: string) =>
  /\/(tables|store|[\w-]+-store)\.ts$/.test(file) ||
  /\/(nodes\/capacity|servers\/view\/view)\.ts$/.test(file) ||
  ['metrics', 'overview'].includes(domainOf(file) ?? '')

test('a rule of a domain contains no SQL', () => {
  const rules = product.filter(({ path }) => domainOf(path) && !isData(path))
  expect(wrong(rules, (_, { specifier }) => specifier.startsWith('drizzle-orm'))).toEqual([])
})

test('only the config, which main receives, reads the environment, except for PATH', () => {
  // The built-in templates contain programs for servers as text.
  const programs = product.filter(
    ({ path }) =>
      /^(shared|control-plane|agent|drivers)\//.test(path) && !path.includes('/builtin/'),
  )
  const readers = programs
    .filter(({ text }) => /process\.env\b(?!\.PATH\b|\['PATH'\])/.test(text))
    .map(({ path }) => path)
  expect(readers.filter((file) => !/\/(config|main)\.ts$/.test(file))).toEqual([])
})

test('programs call out through the egress room only, and agents to their own control plane', () => {
  // Node's own clients connect to any address, and follow any redirect.
  const calls = /\b(await|return)\s+fetch\(|[=(?:,>]\s*fetch\(/
  expect(
    ['await fetch(url)', 'x = fetch(url)', 'async fetch(url) {'].map((is) => calls.test(is)),
  ).toEqual([true, true, false])
  const callers = product.filter(
    ({ path, text, imports }) =>
      /^(shared|control-plane|agent|drivers)\//.test(path) &&
      !path.includes('/builtin/') &&
      roomOf(path) !== 'shared/egress' &&
      (calls.test(text) ||
        imports.some(({ specifier }) => /^(node:)?https$|^undici$/.test(specifier))),
  )
  expect(callers.map(({ path }) => path)).toEqual([
    'agent/src/boot/get-json.ts',
    'agent/src/enrollment/join.ts',
    'agent/src/machines/kept-media.ts',
    'agent/src/update/download.ts',
  ])
})

test('CVE-2026-45628: no program is ever run through a shell', () => {
  const shells = /\b(exec|execSync)\b[^;]*?from 'node:child_process'|\bshell:\s*(true|['"])/
  expect(
    files
      .filter(({ path, text }) => path !== 'test/house/rooms.test.ts' && shells.test(text))
      .map(({ path }) => path),
  ).toEqual([])
})

test('each component folder of the panel is built on the ones below it', () => {
  const floorOf = (file: string) => {
    const room = /^web\/src\/ui\/(?:([^/]+)\/)?/.exec(file)
    return room ? furniture.indexOf(room[1] ?? '') : undefined
  }
  expect(files.filter(({ path }) => floorOf(path) === -1).map(({ path }) => path)).toEqual([])
  const upwards = wrong(product, ({ path }, _, target) => {
    const [from, to] = [floorOf(path), floorOf(target)]
    return from !== undefined && to !== undefined && to > from
  })
  expect(upwards).toEqual([])
})

test('pages do not know the frame around them', () => {
  expect(
    wrong(
      product,
      ({ path }, _, target) => /^web\/src\/pages\//.test(path) && /^web\/src\/shell\//.test(target),
    ),
  ).toEqual([])
})

test("only the panel's component folders import Mantine", () => {
  const pages = product.filter(
    ({ path }) => /^web\/src\//.test(path) && !/^web\/src\/(ui|theme)\//.test(path),
  )
  expect(wrong(pages, (_, { specifier }) => specifier.startsWith('@mantine/'))).toEqual([])
})

test('no file is longer than 400 lines, and the usual one is short', () => {
  expect(
    files
      .filter(({ lineCount }) => lineCount > 400)
      .map(({ path, lineCount }) => `${path}: ${lineCount}`),
  ).toEqual([])
  const counts = product.map(({ lineCount }) => lineCount).sort((a, b) => a - b)
  const median = counts[Math.floor(counts.length / 2)]!
  console.log(`${product.length} product files, median ${median} lines, longest ${counts.at(-1)}`)
  expect(median).toBeLessThan(80)
})
