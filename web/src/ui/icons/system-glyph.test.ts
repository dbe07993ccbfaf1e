import { expect, test } from 'vitest'
import { systemGlyph } from './system-glyph.ts'

test('an image has the logo of the system in its name, otherwise that of a machine', () => {
  expect(systemGlyph('Debian 13 (genericcloud)')).toBe('debian')
  expect(systemGlyph('openSUSE Leap 15.6')).toBe('opensuse')
  expect(systemGlyph('AlmaLinux 10')).toBe('almalinux')
  expect(systemGlyph('Arch Linux')).toBe('archlinux')
  expect(systemGlyph('Linux')).toBe('linux')
  expect(systemGlyph('Windows Server 2025')).toBe('machine')
  expect(systemGlyph('Searchlight')).toBe('machine')
})
