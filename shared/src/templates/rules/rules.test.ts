import { describe, expect, it } from 'vitest'
import { fastestMs } from '../testing/fastest.ts'
import { checkVariable } from './check-variable.ts'
import { inputKind } from './input-kind.ts'
import { formatRules, parseRules } from './parse-rules.ts'
import { BARE_RULES, Rule } from './rule.ts'

const check = (source: unknown, value: string) =>
  checkVariable({ name: 'V', rules: parseRules(source).rules }, value)

describe('rules', () => {
  it.each([
    ['required', 'x', ''],
    ['filled', 'x', ''],
    ['accepted', 'yes', 'no'],
    ['boolean', 'true', 'maybe'],
    ['numeric', '-1.5e3', '1,5'],
    ['integer', '-42', '4.2'],
    ['int', '007'.slice(2), '7.0'],
    ['alpha', 'äbc', 'ab1'],
    ['alpha_num', 'ab1', 'ab-1'],
    ['alpha_dash', 'ab-1_', 'ab 1'],
    ['ascii', 'abc', 'abç'],
    ['lowercase', 'abc', 'aBc'],
    ['uppercase', 'ABC', 'AbC'],
    ['url', 'https://example.org/a?b', 'example.org'],
    ['email', 'a@example.org', 'a@b'],
    ['ip', '::1', '300.1.1.1'],
    ['ipv4', '192.0.2.7', '::1'],
    ['ipv6', '2001:db8::1', '192.0.2.7'],
    ['uuid', '3f0c3f0c-0000-4000-8000-000000000000', '3f0c'],
    ['json', '{"a":1}', '{a:1}'],
    ['min:3', 'abc', 'ab'],
    ['numeric|min:3', '3', '2.9'],
    ['max:3', 'äöü', 'abcd'],
    ['integer|max:3', '3', '4'],
    ['size:3', 'abc', 'ab'],
    ['numeric|size:3', '3.0', '4'],
    ['gt:3', 'abcd', 'abc'],
    ['numeric|gte:3', '3', '2'],
    ['numeric|lt:3', '2', '3'],
    ['lte:3', 'abc', 'abcd'],
    ['between:2,4', 'abc', 'a'],
    ['numeric|between:1,65535', '65535', '65536'],
    ['digits:4', '0042', '42'],
    ['min_digits:2', '42', '4'],
    ['max_digits:2', '42', '421'],
    ['digits_between:1,5', '12345', '123456'],
    ['in:a,"b,c"', 'b,c', 'b'],
    ['not_in:a,b', 'c', 'a'],
    ['starts_with:http', 'https', 'ftp'],
    ['doesnt_start_with:-', 'a-', '-a'],
    ['ends_with:.jar,.war', 'a.war', 'a.zip'],
    ['doesnt_end_with:/', 'a', 'a/'],
    ['regex:/^([\\w\\d._-]+)(\\.jar)$/', 'paper-1.21.jar', 'paper.zip'],
    ['regex:/^(A|b)$/i', 'B', 'c'],
    ['not_regex:/[;&|]/', 'abc', 'a;b'],
    ['regex:(^[a-z]+$)i|max:4', 'ABC', 'a1'],
    ['regex:{^(on|string|off)$}|max:6', 'string', 'strings'],
    ['regex:(^(a|b)(c)$)', 'ac', 'ab'],
  ])('%s accepts %j and refuses %j', (source, good, bad) => {
    expect(check(source, good)).toBeUndefined()
    expect(check(source, bad)).toMatch(/^V \w+/)
    expect(parseRules(source).warnings).toEqual([])
  })

  it('accept an empty value unless one is required', () => {
    for (const rule of BARE_RULES) {
      const demands = ['required', 'filled', 'accepted'].includes(rule)
      expect(check(rule, '') !== undefined, rule).toBe(demands)
    }
    expect(check('nullable|url|min:5', '')).toBeUndefined()
  })

  it.each([
    ['required|string|max:20|', 3],
    ['Nullable|String', 2],
    ['required|regex:/^([\\w\\d._-]+)(\\.jar)$/|max:80', 3],
    ['required|regex:/^(a|b|c)$/|in:a,b', 3],
    ['nullable|regex:([a-z-0-9]+$)', 2],
    ['regex:^(a|b)$|max:3', 2],
    ['regex:(a)(b)|max:3', 2],
    ['regex:[a-z]+|max:3', 2],
    ['in:npm start,npm run commands', 1],
    [['required', 'regex:/^a|b$/', 'max:3'], 3],
    [{}, 0],
    [null, 0],
    ['', 0],
    ['||', 0],
  ])('are parsed from %j', (source, count) => {
    const { rules } = parseRules(source)
    expect(rules).toHaveLength(count)
    for (const rule of rules) expect(Rule.safeParse(rule).success).toBe(true)
    expect(parseRules(formatRules(rules)).rules).toEqual(rules)
    expect(parseRules(formatRules(rules).join('|')).rules).toEqual(rules)
  })

  it('that are unknown become warnings and have no effect', () => {
    const { rules, warnings } = parseRules('required|unique:users|max:many|between:1|digits:-1')
    expect(rules).toEqual([{ rule: 'required' }])
    expect(warnings).toHaveLength(4)
  })

  it('keep an expression with look-around for export and warn that it is not checked', () => {
    const { rules, warnings } = parseRules('regex:/^(?!admin).+$/')
    expect(rules).toEqual([{ rule: 'regex', pattern: '^(?!admin).+$', flags: '', unchecked: true }])
    expect(warnings[0]).toContain('not checked')
    expect(Rule.safeParse({ rule: 'regex', pattern: '^(?!admin).+$', flags: '' }).success).toBe(
      false,
    )
  })

  it.each([
    'a{1000}'.repeat(146),
    '(a{31}){32}'.repeat(93),
    '((((a?){10}){10}){10})'.repeat(40),
    '[]a{2}]{999}[x]{2}',
  ])(
    'refuse an expression that expands to thousands of parts without expanding it: %s',
    (pattern) => {
      const fresh = () => `${pattern}${Math.random().toString(36).slice(2)}`
      expect(
        fastestMs(10, () =>
          expect(Rule.safeParse({ rule: 'regex', pattern: fresh(), flags: '' }).success).toBe(
            false,
          ),
        ),
      ).toBeLessThan(10)
    },
  )

  it('never take longer than 50 ms, for any expression and value', () => {
    const patterns = [
      '^(a+)+$',
      '(a|a)*b',
      '^(([a-z])+.)+[A-Z]([a-z])+$',
      '(x+x+)+y',
      '((a{1,20}){1,20})b',
      '(.*)*=.*',
      '^(\\w+\\s?)*$',
    ]
    for (const pattern of patterns) {
      const { rules } = parseRules([`regex:/${pattern}/`])
      expect(rules).toHaveLength(1)
      for (const value of [
        'a'.repeat(32_768),
        `${'x'.repeat(32_000)}!`,
        'a '.repeat(16_000),
        'ab'.repeat(900),
      ]) {
        expect(
          fastestMs(50, () => checkVariable({ name: 'V', rules }, value)),
          pattern,
        ).toBeLessThan(50)
      }
    }
  })
})

describe('the control of a form', () => {
  const kind = (source: string, value = '', secret = false) =>
    inputKind({ rules: parseRules(source).rules, default: value, secret })

  it.each([
    ['required|boolean', '1', { kind: 'switch', on: '1', off: '0' }],
    ['boolean', 'true', { kind: 'switch', on: 'true', off: 'false' }],
    ['in:0,1', '0', { kind: 'switch', on: '1', off: '0' }],
    ['required|in:on,off', 'on', { kind: 'switch', on: 'on', off: 'off' }],
    [
      'required|in:easy,normal,hard',
      'easy',
      { kind: 'select', options: ['easy', 'normal', 'hard'], emptyAllowed: false },
    ],
    ['integer|between:1,100', '20', { kind: 'number', min: 1, max: 100, integer: true }],
    ['numeric|digits_between:1,5', '100', { kind: 'number', min: 0, max: 99999, integer: false }],
    ['nullable|string|max:20', '', { kind: 'text', maxLength: 20, required: false }],
    ['required|string', '', { kind: 'text', required: true }],
  ])('for %s is right', (source, value, expected) => {
    expect(kind(source, value)).toEqual(expected)
  })

  it('hides a secret', () => {
    expect(kind('required|max:64', '', true)).toEqual({ kind: 'password', maxLength: 64 })
  })
})
