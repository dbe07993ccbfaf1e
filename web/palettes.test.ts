import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { UNUSED, withoutUnused } from './palettes.ts'

const read = (file: string): string => readFileSync(path.join(import.meta.dirname, file), 'utf8')
const mantine = read('../node_modules/@mantine/core/styles/default-css-variables.layer.css')

test('of the variables of Mantine only those of unused palettes are left out', () => {
  const kept = withoutUnused(mantine)
  expect(kept.length).toBeLessThan(mantine.length / 2)
  expect(kept).not.toMatch(new RegExp(`--mantine-color-(${UNUSED})-[\\w-]+:`))
  for (const name of ['blue-6', 'gray-4', 'dark-7', 'white', 'error'])
    expect(kept).toContain(`--mantine-color-${name}:`)
})

test('nothing in the panel uses a palette that is left out', () => {
  const uses = new RegExp(`mantine-color-(${UNUSED})|\\b(color|c|bg|variant)="(${UNUSED})[".]`)
  const files = globSync('src/**/*.{ts,tsx,css}', { cwd: import.meta.dirname })
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter((file) => uses.test(read(file)))).toEqual([])
})
