import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { HELP, HELP_FOR_OPERATORS } from '@lodge/shared/help.ts'
import { PROBLEMS } from '@lodge/shared/problems.ts'
import { ENGLISH } from '@lodge/shared/words/bind.ts'
import { LANGUAGES } from '@lodge/shared/words/languages.ts'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'
import { domains } from '../../control-plane/src/domains/index.ts'
import type { Mail } from '../../control-plane/src/events/mails.ts'
import { messagesIn } from '../../web/words/plugin.ts'
import { sourceFiles } from './source-files.ts'

// Customers know the panel by the name of their host (docs/writing.md).

const NAME = /\bLodge\b/
const root = path.resolve(import.meta.dirname, '../..')
const TRANSLATED = LANGUAGES.filter((language) => language !== ENGLISH)
const sources = sourceFiles().filter(({ path: file }) => !/\.test\.|\/testing\//.test(file))

/** Pages for staff of the host, who know the product. */
const FOR_OPERATORS =
  /^web\/src\/pages\/(appearance|email|nodes|plugins|set-up|settings|templates|usage-reports|virtualization)\//

test('no text of the panel that customers read names the product', () => {
  const catalogues = sources.filter(({ path: file }) =>
    /^web\/src\/.*(words|names)\.ts$/.test(file),
  )
  const naming = catalogues
    .filter(({ path: file }) => !FOR_OPERATORS.test(file))
    .flatMap(({ path: file, text }) =>
      messagesIn(text, file)
        .filter(({ value }) => NAME.test(value))
        .map(({ key }) => `${file}: ${key}`),
    )
  expect(catalogues.length).toBeGreaterThan(50)
  expect(naming).toEqual([])
})

test('the HTML page has the name only in its title, where the host’s replaces it', () => {
  const page = readFileSync(path.join(root, 'web/index.html'), 'utf8')
  expect(page.split('\n').filter((line) => NAME.test(line.replace(/^ *\/\/.*/, '')))).toEqual([
    '    <title>Lodge</title>',
  ])
})

test('no mail names the product, unless its sender is called so', () => {
  const mails = domains.flatMap((domain) =>
    'mails' in domain ? (domain.mails as readonly Mail[]) : [],
  )
  expect(mails.length).toBeGreaterThan(20)
  const naming = mails.filter(({ subject, body }) => NAME.test(subject) || NAME.test(body))
  expect(naming.map(({ id }) => id)).toEqual([])
})

/** Problems that only staff of the host meet. */
const THEIR_PROBLEMS = /^(plugin_|agents_current|no_agent_program|theme_too_new)/

test('no problem that customers meet names the product, nor does its page', () => {
  const titles = Object.entries(PROBLEMS).filter(([, { title }]) => NAME.test(title))
  expect(titles).toEqual([])
  const folder = path.join(root, 'docs/problems')
  const naming = readdirSync(folder)
    .filter((file) => !THEIR_PROBLEMS.test(file))
    .filter((file) => NAME.test(readFileSync(path.join(folder, file), 'utf8')))
  expect(naming).toEqual([])
})

test('no document for customers names the product', () => {
  const theirs = Object.keys(HELP).filter((name) => !HELP_FOR_OPERATORS.some((one) => one === name))
  const files = ['docs/help', ...TRANSLATED.map((language) => `docs/help/${language}`)]
    .flatMap((folder) => theirs.map((name) => `${folder}/${name}.md`))
    .filter((file) => NAME.test(readFileSync(path.join(root, file), 'utf8')))
  expect(files).toEqual([])
})

/** Texts for operators, and names that programs use among themselves. */
const NAMED_HERE = [
  // The default of the setting, its sample, and titles that the host's name replaces
  /^shared\/src\/branding\.ts$/,
  /^control-plane\/src\/domains\/email\/(settings|variables)\.ts$/,
  /^control-plane\/src\/http\/reference\/api-pages\.ts$/,
  // Logs, start-up and commands on the operator's machine
  /^control-plane\/src\/(embedded-postgres|db|command|operators|start|http\/install)\//,
  /^shared\/src\/local\//,
  /^control-plane\/src\/domains\/(panel-backups|plugins|nodes)\//,
  /^shared\/src\/domains\/usage-reports\.ts$/,
  // Texts that only operators see
  /^shared\/src\/phrases\/de\/(attention|permissions|refusals-house|failures-panel)\.ts$/,
  // Certificates, protocol greetings, and user agents
  /^control-plane\/src\/fleet\/certificates\.ts$/,
  /^control-plane\/src\/domains\/(sftp\/ssh-server|support\/inbound\/smtp)\.ts$/,
  /^control-plane\/src\/domains\/(usage-reports\/code-host|notifications\/channels\/kinds\/kind)\.ts$/,
  // Author of the bundled templates, also as exported files
  /^shared\/src\/templates\/(builtin|eggs)\//,
]

test('the server’s texts name the product to operators only', () => {
  const named = sources
    .filter(({ path: file }) => /^(control-plane|shared)\/src\//.test(file))
    .filter(({ path: file, text }) => NAME.test(text) && textsIn(text, file).some(isNaming))
    .map(({ path: file }) => file)
  expect(named.filter((file) => !NAMED_HERE.some((place) => place.test(file)))).toEqual([])
  const idle = NAMED_HERE.filter((place) => !named.some((file) => place.test(file)))
  expect(idle).toEqual([])
})

const isNaming = (text: string): boolean => NAME.test(text)

/** The strings of a source, without its comments. */
function textsIn(source: string, file: string): string[] {
  const found: string[] = []
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) for (const one of node) walk(one)
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return
    const { type, value } = node as { type?: string; value?: unknown }
    if (type === 'Literal' && typeof value === 'string') found.push(value)
    if (type === 'TemplateElement') found.push((value as { raw: string }).raw)
    for (const one of Object.values(node)) walk(one)
  }
  walk(parseSync(file, source).program)
  return found
}
