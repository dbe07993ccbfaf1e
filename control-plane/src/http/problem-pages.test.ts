import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { PROBLEMS } from '@lodge/shared/problems.ts'
import { expect, test } from 'vitest'

const folder = path.resolve(import.meta.dirname, '../../../docs/problems')

test('every problem of the catalogue has a page, and every page a problem', () => {
  const pages = readdirSync(folder).map((file) => file.replace(/\.md$/, ''))
  expect(pages.sort()).toEqual(Object.keys(PROBLEMS).sort())
})

test('a page gives the title and the status of its problem and says what to do', () => {
  for (const [code, { status, title }] of Object.entries(PROBLEMS)) {
    const page = readFileSync(path.join(folder, `${code}.md`), 'utf8')
    expect(page).toContain(`# ${title}`)
    expect(page).toContain(`status ${status}`)
    expect(page).toContain('**What to do.**')
  }
})
