import { expect, test } from 'vitest'
import { includedWords } from './included-words.ts'

test('what a server plan includes is said in a few words, and what it does not set is not mentioned', () => {
  expect(includedWords()).toEqual([])
  expect(
    includedWords({
      ...{ maxServerBackups: 1, maxBackupStorageMb: 10_240, maxExtraPorts: 0 },
      ...{ maxServerCollaborators: 3, maxServerSchedules: 'unlimited', maySftp: false },
    }),
  ).toEqual([
    ...['1 backup', '10 GiB of backup storage', 'No extra ports', 'Sharing with up to 3 people'],
    ...['Unlimited schedules', 'No SFTP'],
  ])
})

test('a number and whether it is there at all are said once', () => {
  expect(includedWords({ maySchedules: true, maxServerSchedules: 5 })).toEqual(['5 schedules'])
  expect(includedWords({ maySchedules: false, maxServerSchedules: 5 })).toEqual(['No schedules'])
  expect(includedWords({ maySchedules: true })).toEqual(['Schedules'])
})
