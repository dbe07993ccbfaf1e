import { expect, test } from 'vitest'
import { HUES, initialsOf, stableHue } from './stable-hue.ts'

test('initials come from the first and the last word of a name or an address', () => {
  expect(initialsOf('Ada Lovelace')).toBe('AL')
  expect(initialsOf('ada.m.lovelace@example.com')).toBe('AL')
  expect(initialsOf('root@example.com')).toBe('RO')
  expect(initialsOf('Žofie')).toBe('ŽO')
  expect(initialsOf('李')).toBe('李')
  expect(initialsOf('Minecraft: vanilla')).toBe('MV')
  expect(initialsOf('@')).toBe('?')
})

test('a person keeps their colour, whatever the letter case, and people get different ones', () => {
  expect(stableHue('Ada@example.com')).toBe(stableHue(' ada@example.com'))
  const people = Array.from({ length: 200 }, (_, at) => stableHue(`person-${at}@example.com`))
  expect(new Set(people).size).toBe(HUES)
  expect(Math.max(...people)).toBeLessThan(HUES)
})
