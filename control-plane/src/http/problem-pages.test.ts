import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { panelPath } from '@lodge/shared/panel-paths.ts'
import { PROBLEMS, type ProblemCode } from '@lodge/shared/problems.ts'
import { expect, test } from 'vitest'

const folder = path.resolve(import.meta.dirname, '../../../docs/problems')

test('every problem in the catalogue has a page, and every page a problem', () => {
  const pages = readdirSync(folder).map((file) => file.replace(/\.md$/, ''))
  expect(pages.sort()).toEqual(Object.keys(PROBLEMS).sort())
})

test('a page gives title and status, says what to do and who can resolve it, and shows an example', () => {
  for (const [code, { status, title }] of Object.entries(PROBLEMS)) {
    const page = readFileSync(path.join(folder, `${code}.md`), 'utf8')
    expect(page).toContain(`# ${title}\n`)
    expect(page).toContain(`status ${status}\n`)
    for (const part of ['Why', 'What to do', 'Who can resolve it'])
      expect(page, code).toMatch(new RegExp(`\\*\\*${part}\\.\\*\\* \\w`))
    const example = JSON.parse(/```json\n([\s\S]+?)\n```/.exec(page)?.[1] ?? '')
    const type = panelPath('problem', { code: code as ProblemCode })
    expect(example, code).toMatchObject({ type, title, status, code })
    expect(example.detail, code).toMatch(/^\S.{8,}/)
    expect(example.instance, code).toBeTypeOf('string')
  }
})
