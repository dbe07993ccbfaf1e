import { ENGLISH, loadTranslations, speak } from '@lodge/shared/words/bind.ts'
import { afterEach, expect, test } from 'vitest'
import { writeTimestampsAs } from '../locale/timestamps.ts'
import {
  describeCpu,
  parseCpu,
  parseMib,
  writeCores,
  writeCpuLike,
  writeMib,
  writeMibLike,
} from './size.ts'

afterEach(() => {
  speak(ENGLISH)
  writeTimestampsAs({ locale: null, timeZone: null })
})

test.each([
  ['4096', 4096],
  ['4g', 4096],
  ['4 GiB', 4096],
  [' 1.5 gb ', 1536],
  ['1,5 G', 1536],
  ['2t', 2_097_152],
  ['512 MiB', 512],
  ['2048k', 2],
])('the size %s is %d MiB', (text, mib) => {
  expect(parseMib(text)).toBe(mib)
})

test.each(['', 'abc', '4 x', '-1', '0', '1..5', '4 g b'])('%o is not a size', (text) => {
  expect(parseMib(text)).toBeUndefined()
})

test('thousands separators are those of the reader', () => {
  writeTimestampsAs({ locale: 'de', timeZone: null })
  expect(['1.500 MiB', '1.500,5m', '1,500 GiB', '1.5g', '1.048.576'].map(parseMib)).toEqual([
    1500, 1501, 1536, 1536, 1_048_576,
  ])
  expect(['1.500%', '1,5c'].map(parseCpu)).toEqual([1500, 150])
  writeTimestampsAs({ locale: 'en-GB', timeZone: null })
  expect(['1,500 MiB', '1.500 GiB'].map(parseMib)).toEqual([1500, 1536])
  expect(parseMib('1,500,00 MiB')).toBeUndefined()
})

test.each([
  ['150', 150],
  ['150%', 150],
  ['1.5 cores', 150],
  ['2c', 200],
  ['1 core', 100],
])('the processor amount %s is %d percent', (text, percent) => {
  expect(parseCpu(text)).toBe(percent)
})

test.each(['', 'two', '0', '5 apples'])('%o is not a processor amount', (text) => {
  expect(parseCpu(text)).toBeUndefined()
})

test('a written amount can be read again', () => {
  for (const mib of [1, 512, 1024, 1536, 4096, 1_048_576]) expect(parseMib(writeMib(mib))).toBe(mib)
})

test('a processor amount is described in per cent and in cores', () => {
  expect(describeCpu(100)).toBe('100% (1 core)')
  expect(describeCpu(150)).toBe('150% (1.5 cores)')
})

test.each([
  ['999 TiB', 16_777_216, '16 TiB'],
  ['99999g', 16_777_216, '16384 GiB'],
  ['99999999', 16_777_216, '16 TiB'],
  ['0.1 GiB', 16, '16 MiB'],
])('after input of %s, a bound of %d MiB is written as %s', (typed, mib, words) => {
  expect(writeMibLike(typed, mib)).toBe(words)
})

test('after input in cores, a processor bound is written in cores', () => {
  expect(writeCpuLike('9000 cores', 25_600)).toBe('256 cores')
  expect(writeCpuLike('90000 %', 25_600)).toBe('25600%')
})

test('the words for cores of the spoken language can be typed, and the English ones', async () => {
  expect(parseCpu('1,5 Kerne')).toBeUndefined()
  await loadTranslations('de')
  speak('de')
  expect(['1,5 Kerne', '2 kern', '2k', '1.5 cores', '150%'].map(parseCpu)).toEqual([
    150, 200, 200, 150, 150,
  ])
  expect(parseCpu('2 Äpfel')).toBeUndefined()
  expect(writeCpuLike('9000 Kerne', 25_600)).toBe('256 Kerne')
  expect(parseCpu(writeCores(150))).toBe(150)
})
