import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { completeLock } from '../../tools/complete-lock.mjs'

const lock = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'))

test('the lock lists the packages of every platform', () => {
  expect(completeLock(structuredClone(lock))).toEqual([])
})

test('a platform package missing from the lock is detected', () => {
  const incomplete = structuredClone(lock)
  const name = Object.keys(incomplete.packages).find((at) => at.includes('@esbuild/linux-'))!
  delete incomplete.packages[name]
  expect(completeLock(incomplete)).toEqual([name.replace(/^node_modules\//, '')])
})

test('every direct dependency has an exact version', () => {
  const ours = Object.entries(lock.packages as Record<string, Record<string, object>>)
    .filter(([folder]) => !folder.includes('node_modules'))
    .flatMap(([folder, entry]) =>
      ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
        Object.entries(entry[kind] ?? {}).map(([name, version]) => [folder, name, version]),
      ),
    )
  expect(ours.length).toBeGreaterThan(50)
  expect(ours.filter(([, , version]) => !/^\d+\.\d+\.\d+/.test(String(version)))).toEqual([])
})
