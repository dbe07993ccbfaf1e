import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { PROBLEMS } from '@lodge/shared/problems.ts'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const documents = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md'], {
  cwd: root,
})
  .toString()
  .split('\n')
  .filter((file) => file && existsSync(path.join(root, file)))

/** Links and images of a document that point to our files. */
function linksOf(file: string): string[] {
  const text = readFileSync(path.join(root, file), 'utf8')
  const written = [...text.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)]
  return written
    .map(([, link, source]) => (link ?? source!).replace(/#.*$/, ''))
    .filter((link) => link && !/^[a-z]+:/.test(link))
}

test('every link of the documents resolves', () => {
  expect(documents.length).toBeGreaterThan(20)
  const broken = documents.flatMap((file) =>
    linksOf(file)
      .filter((link) => !existsSync(path.join(root, path.dirname(file), link)))
      .map((link) => `${file}: ${link}`),
  )
  expect(broken).toEqual([])
})

test('every problem has its page', () => {
  const pages = new Set(documents.map((file) => path.relative('docs/problems', file)))
  expect(Object.keys(PROBLEMS).filter((code) => !pages.has(`${code}.md`))).toEqual([])
})

test('the README stays under 120 lines', () => {
  expect(readFileSync(path.join(root, 'README.md'), 'utf8').split('\n').length).toBeLessThan(120)
})

test('every npm task named in the documents exists', () => {
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const named = documents.flatMap((file) =>
    [
      ...readFileSync(path.join(root, file), 'utf8').matchAll(
        /\bnpm run ([a-z:-]*[a-z])|\bnpm (start|test)\b/g,
      ),
    ].map(([, run, own]) => run ?? own!),
  )
  expect(named).toContain('start')
  expect([...new Set(named)].filter((name) => !(name in scripts))).toEqual([])
})
