import { afterEach, describe, expect, test } from 'vitest'
import { ENGLISH, inLanguage, loadTranslations, speak } from './bind.ts'
import { catalogue, translation } from './catalogue.ts'
import { compile } from './compile.ts'

afterEach(() => speak(ENGLISH))

describe('a catalogue', () => {
  const t = catalogue({
    title: "Servers that can't start",
    greeting: 'Signed in as {name}',
    servers: '{count, plural, =0 {No servers} one {# server} other {# servers}} on {node}',
    place: '{place, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}',
    kind: '{kind, select, vm {a machine} other {a container}}',
    share: '{share, number, percent} used',
    day: 'On {day, date, long}',
    help: 'Read <link>the guide of {name}</link> first.',
    nested: '{count, plural, one {<b>#</b> day} other {<b>#</b> days}}',
  })

  test('says a message without arguments as text', () => {
    expect(t.title).toBe("Servers that can't start")
  })

  test('puts values into a message', () => {
    expect(t.greeting({ name: 'Ada' })).toBe('Signed in as Ada')
    expect(t.kind({ kind: 'vm' })).toBe('a machine')
    expect(t.kind({ kind: 'anything' })).toBe('a container')
    expect(t.share({ share: 0.25 })).toBe('25% used')
    expect(t.day({ day: new Date(2026, 10, 22) })).toBe('On November 22, 2026')
  })

  test('chooses plurals by number, with exact numbers first', () => {
    expect([0, 1, 1_200].map((count) => t.servers({ count, node: 'oslo-1' }))).toEqual([
      'No servers on oslo-1',
      '1 server on oslo-1',
      '1,200 servers on oslo-1',
    ])
    expect([1, 2, 3, 4].map((place) => t.place({ place }))).toEqual(['1st', '2nd', '3rd', '4th'])
  })

  test('returns the parts of a message with tags, each made by its function', () => {
    const link = (inside: string) => ({ link: inside })
    expect(t.help({ name: 'Lodge', link })).toEqual([
      'Read ',
      { link: 'the guide of Lodge' },
      ' first.',
    ])
    expect(t.nested({ count: 2, b: (inside) => `*${inside}*` })).toEqual(['*2*', ' days'])
  })

  test('does not compile with a key or a value that is missing', () => {
    // @ts-expect-error the catalogue has no such key
    expect(t.missing).toBeUndefined()
    // @ts-expect-error the message needs the node
    const partly = t.servers({ count: 1 })
    expect(partly).toBe('1 server on undefined')
    // @ts-expect-error a count is a number
    t.servers({ count: '1', node: 'oslo-1' })
    // @ts-expect-error a tag needs a function
    expect(() => t.help({ name: 'Lodge' })).toThrow()
  })
})

describe('another language', () => {
  const t = catalogue(
    {
      title: 'API tokens',
      hours: '{count, plural, one {# hour} other {# hours}}',
      onlyEnglish: '{count, plural, one {# day} other {# days}}',
    },
    { pl: async () => ({ default: polish }) },
  )
  const polish = translation({
    title: 'Tokeny API',
    hours: '{count, plural, one {# godzina} few {# godziny} other {# godzin}}',
  })

  test('is spoken once it is loaded; what it lacks stays English, with English plurals', async () => {
    speak('pl')
    expect(t.title).toBe('API tokens')
    await loadTranslations('pl')
    expect(t.title).toBe('Tokeny API')
    expect([1, 3, 5].map((count) => t.hours({ count }))).toEqual([
      '1 godzina',
      '3 godziny',
      '5 godzin',
    ])
    expect(t.onlyEnglish({ count: 3 })).toBe('3 days')
  })

  test('is read beside the spoken one, for a mail', async () => {
    await loadTranslations('pl')
    expect(inLanguage(t, 'pl').title).toBe('Tokeny API')
    expect(inLanguage(t, 'fr').title).toBe('API tokens')
    expect(t.title).toBe('API tokens')
  })

  test('does not compile with keys or arguments of its own', () => {
    const title = { title: 'API tokens' } as const
    catalogue(title, { pl: async () => ({ default: translation({ title: 'Tokeny API' }) }) })
    // @ts-expect-error the catalogue has no such key
    catalogue(title, { pl: async () => ({ default: translation({ other: 'Inny' }) }) })
    // @ts-expect-error the message has no such argument
    catalogue(title, { pl: async () => ({ default: translation({ title: 'Tokeny {name}' }) }) })
  })
})

test('a malformed message is refused when it is parsed', () => {
  expect(() => compile('{count, plural, one {# server}}')).toThrow('Not an ICU message')
  expect(() => compile('{name')).toThrow('Not an ICU message')
  expect(() => compile('{count, plural, offset:1 one {#} other {#}}')).toThrow('offsets')
})
