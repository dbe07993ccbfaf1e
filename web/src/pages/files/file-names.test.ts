import { expect, test } from 'vitest'
import { foldersTo, isName, isWithin, numbered, resolved, splitName } from './file-names.ts'

test('a file kept beside another gets the next number before its extension', () => {
  expect(numbered('/plugins/config.yml')).toBe('/plugins/config (1).yml')
  expect(numbered('/config (9).yml')).toBe('/config (10).yml')
  expect(numbered('/world.tar.gz')).toBe('/world (1).tar.gz')
  expect(numbered('/.env')).toBe('/.env (1)')
  expect(splitName('eula')).toEqual(['eula', ''])
})

test('a typed path is relative to the folder, and never leaves the server', () => {
  expect(resolved('/plugins', 'maps/one')).toBe('/plugins/maps/one')
  expect(resolved('/plugins', '../world')).toBe('/world')
  expect(resolved('/plugins', '/a//b/./c/')).toBe('/a/b/c')
  expect(resolved('/', '../../..')).toBe('/')
})

test('folders lead from the root down', () => {
  expect(foldersTo('/a/b')).toEqual(['/', '/a', '/a/b'])
  expect(foldersTo('/')).toEqual(['/'])
  expect([isWithin('/ab', '/a'), isWithin('/a/b', '/a'), isWithin('/a', '/')]).toEqual([
    false,
    true,
    true,
  ])
})

test('recognises names that no file can have', () => {
  expect(['', '.', '..', 'a/b', 'ä'.repeat(128)].filter(isName)).toEqual([])
  expect(isName('server.properties')).toBe(true)
})
