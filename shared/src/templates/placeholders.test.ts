import { describe, expect, it } from 'vitest'
import { normalizePlaceholders, readPlaceholder, substitute } from './placeholders.ts'
import { fastestMs } from './testing/fastest.ts'

const values: Readonly<Record<string, string>> = {
  NAME: 'x',
  TRICK: '{{NAME}}',
  'server.port': '25565',
}
const fill = (text: string) =>
  substitute(text, (placeholder) =>
    Object.hasOwn(values, placeholder.name) ? values[placeholder.name] : undefined,
  )

describe('placeholders', () => {
  it.each([
    ['a {{NAME}} b', 'a x b'],
    ['{{ NAME }}', 'x'],
    [
      '{{env.NAME}}{{server.environment.NAME}}{{server.build.env.NAME}}{{server.build.environment.NAME}}',
      'xxxx',
    ],
    ['{{server.build.env.{NAME}}}', 'x'],
    ['{{server.build.env.{NAME}}', 'x'],
    ['{{{NAME}}}', 'x'],
    ['{{server.build.default.port}}:{{server.allocations.default.port}}', '25565:25565'],
    ['{{ {{NAME}} }}', '{{ x }}'],
    ['no end {{NAME', 'no end {{NAME'],
    ['', ''],
  ])('%j becomes %j', (text, expected) => {
    expect(fill(text).text).toBe(expected)
  })

  it('are filled in once: a value that looks like one stays text', () => {
    expect(fill('{{TRICK}}').text).toBe('{{NAME}}')
  })

  it.each([
    'config.token',
    'config.docker.network.interfaces.v4.gateway',
    'config.api.ssl.key',
    'server.constructor.name',
    'server.__proto__',
    'constructor.prototype',
    'process.env.HOME',
    'server.environment.A.B',
    'server.environment.',
    '',
  ])('%j resolves to nothing', (inside) => {
    expect(readPlaceholder(inside)).toBeUndefined()
    expect(fill(`a {{${inside}}} b`)).toEqual({ text: `a {{${inside}}} b`, unknown: [inside] })
  })

  it('inherited names have no value', () => {
    expect(fill('{{constructor}} {{__proto__}} {{toString}}').text).toBe(
      '{{constructor}} {{__proto__}} {{toString}}',
    )
  })

  it('are normalised to one spelling, with variables renamed', () => {
    const { text } = normalizePlaceholders(
      '{{server.build.env.HOME}} {{config.docker.interface}}',
      () => 'SERVER_HOME',
    )
    expect(text).toBe('{{SERVER_HOME}} {{server.address}}')
  })

  it('take time in proportion to the text', () => {
    for (const text of [
      '{{'.repeat(500_000),
      '{{a}}'.repeat(100_000),
      ['{{{'.repeat(200_000), ''].join('}}'),
      '}}{{'.repeat(200_000),
    ]) {
      expect(fastestMs(500, () => fill(text))).toBeLessThan(500)
    }
  })
})
