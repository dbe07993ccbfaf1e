import { ALL_LIMIT_KEYS, isNumberKey } from '@lodge/shared/limits/keys.ts'
import { expect, test } from 'vitest'
import { amountOf } from './amount-words.ts'

test.each([
  ['maxMemoryMb', 64, 70, '64 of 70 MiB of memory'],
  ['maxMemoryMb', 6144, 8192, '6 of 8 GiB of memory'],
  ['maxMemoryMb', 8193, 8192, '8193 of 8192 MiB of memory'],
  ['maxDiskMb', 0, 1_048_576, '0 of 1 TiB of disk'],
  ['maxBackupStorageMb', 0, 0, '0 of 0 MiB of backup storage'],
  ['maxServerMemoryMb', 129, 128, '129 of 128 MiB of memory per server'],
  ['maxCpuPercent', 150, 200, '150% of 200% CPU'],
  ['maxServers', 8, 10, '8 of 10 servers'],
] as const)('of %s, %d of %d is “%s”', (key, used, value, words) => {
  expect(amountOf(key, used, value, { language: 'en' })).toBe(words)
})

test('no amount uses MB or spells percent out', () => {
  for (const key of ALL_LIMIT_KEYS)
    if (isNumberKey(key))
      expect(amountOf(key, 1, 2, { language: 'en' })).not.toMatch(/\b(MB|GB|percent)\b/)
})
