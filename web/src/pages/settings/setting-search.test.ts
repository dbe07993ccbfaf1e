import { isOffered } from '@lodge/shared/later.ts'
import { ALL_LIMIT_KEYS } from '@lodge/shared/limits/keys.ts'
import { expect, test } from 'vitest'
import { areasOf, searchSettings } from './setting-search.ts'
import { LIMIT_DEFAULTS, MAIL, SETTINGS_GROUPS } from './settings-groups.ts'
import { settingId } from './settings-text.ts'

const found = (typed: string): string[] =>
  searchSettings(SETTINGS_GROUPS, typed).map(({ place, label }) => `${place}: ${label}`)

test.each([
  ['its label', 'selector', 'Mail, Signature (DKIM): Selector'],
  ['a part of its label', 'privacy pol', 'Sign-up, Terms: Privacy policy'],
  ['its description', 'mails call this panel', 'Mail, Sender: Name'],
  ['another word for it', 'captcha', 'Sign-up, Captcha: Provider'],
  ['its area and its label', 'mail port', 'Mail, Mail server: Port'],
  ['the name of a limit', 'share serv', 'Limits, Allowed actions: Share servers'],
  ['words in any case and order', 'DAYS Keep', 'Security, Audit log: Keep entries for (days)'],
])('a setting is found by %s', (_by, typed, expected) => {
  expect(found(typed)).toContain(expected)
})

test.each(['sign-up', 'signup', 'Sign up'])('an area is found when it is written %s', (typed) => {
  expect(found(typed)[0]).toBe('Area: Sign-up')
})

test('a match in the name comes before one in the description', () => {
  expect(found('host')[0]).toBe('Mail, Mail server: Host')
  expect(found('memory').slice(0, 2)).toEqual([
    'Limits, In total: Memory',
    'Limits, Each server: Memory per server',
  ])
})

test('an empty search offers each area once; nonsense finds nothing', () => {
  expect(found(' ')).toEqual(
    [
      'Sign-up',
      'Security',
      'Self-service',
      'Limits',
      'Backups',
      'Suspension',
      'Mail',
      'Environment',
    ].map((area) => `Area: ${area}`),
  )
  expect(found('zebra')).toEqual([])
})

test('only settings that a person may see are found', () => {
  const groups = SETTINGS_GROUPS.filter(({ may }) => may === 'limits.settings')
  expect(searchSettings(groups, 'smtp')).toEqual([])
  expect(areasOf(groups).map(({ area }) => area())).toEqual(['Self-service', 'Limits'])
})

test('every limit that has an effect is a setting, and no two settings share an id', () => {
  expect(Object.keys(LIMIT_DEFAULTS.fields).toSorted()).toEqual(
    ALL_LIMIT_KEYS.filter(isOffered).toSorted(),
  )
  const ids = SETTINGS_GROUPS.flatMap((group) =>
    Object.keys(group.fields).map((name) => settingId(group, name)),
  )
  expect(new Set(ids).size).toBe(ids.length)
})

test('a setting hidden by another one names one in its own group', () => {
  for (const { fields } of SETTINGS_GROUPS)
    for (const { under } of Object.values(fields))
      if (under !== undefined) expect(Object.keys(fields)).toContain(under)
  expect(MAIL.fields.privateKey.under).toBe('signs')
})
