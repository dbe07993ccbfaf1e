import { describe, expect, it } from 'vitest'
import type { Edit, Parser } from '../edit.ts'
import { editFile } from './file.ts'
import { editIni } from './ini.ts'
import { editJson } from './json.ts'
import { editProperties } from './properties.ts'
import { editToml } from './toml.ts'
import { editXml } from './xml.ts'
import { editYaml } from './yaml.ts'

type Short = readonly [match: string, value: Edit['value'], ifValue?: string]
type Golden = readonly [what: string, before: string, edits: readonly Short[], after: string]

function golden(parser: Parser, cases: readonly Golden[]): void {
  it.each(cases)('%s', (_, before, edits, after) => {
    const full = edits.map(([match, value, ifValue]) => ({
      match,
      value,
      ...(ifValue === undefined ? {} : { ifValue }),
    }))
    const result = parser(before, full)
    expect(result).toBe(after)
    const again = full.filter((edit) => edit.ifValue === undefined)
    expect(parser(result, again), 'a second time changes nothing').toBe(result)
  })
}

describe('file', () => {
  golden(editFile, [
    [
      'replaces whole lines that begin with the match',
      'port 1\n port 2\nport 3 # x\n',
      [['port', 'port 9']],
      'port 9\n port 2\nport 9\n',
    ],
    ['adds nothing', 'a\n', [['b', 'b=1']], 'a\n'],
    ['keeps Windows line ends and a missing last one', 'a=1\r\nb=2', [['b=', 'b=3']], 'a=1\r\nb=3'],
    [
      'takes the match as text, not as an expression',
      'token = "(.*)"\n',
      [['token = "(.*)"', 'token = "x"']],
      'token = "x"\n',
    ],
    [
      'writes numbers, true and null',
      'a\nb\nc\n',
      [
        ['a', 1],
        ['b', true],
        ['c', null],
      ],
      '1\ntrue\n\n',
    ],
    [
      'looks at the rest of the line when there is a condition',
      'ip=0\nip=1\n',
      [['ip=', 'ip=9', '1']],
      'ip=0\nip=9\n',
    ],
  ])
})

describe('properties', () => {
  golden(editProperties, [
    [
      'sets a key where it is and keeps comments',
      '#x\nserver-port=1\nmotd = a\n! y\n',
      [
        ['server-port', '25565'],
        ['motd', 'b'],
      ],
      '#x\nserver-port=25565\nmotd = b\n! y\n',
    ],
    [
      'adds what is missing, dots and all',
      'a=1\n',
      [['query.port', '25565']],
      'a=1\nquery.port=25565\n',
    ],
    ['makes an empty file', '', [['eula', 'true']], 'eula=true\n'],
    [
      'escapes what is not ASCII',
      'motd=x\n',
      [['motd', 'Grüße\n§aok\\']],
      'motd=Gr\\u00FC\\u00DFe\\n\\u00A7aok\\\\\n',
    ],
    [
      'reads escapes and lines that go on',
      'a\\ b=1\nmotd=one\\\n   two\nc=3\n',
      [
        ['a b', '2'],
        ['motd', 'x', 'onetwo'],
      ],
      'a\\ b=2\nmotd=x\nc=3\n',
    ],
    [
      'replaces a value only where the condition holds',
      'a=1\nb=1\n',
      [
        ['a', '2', '9'],
        ['b', '2', '1'],
        ['c', '2', ''],
      ],
      'a=1\nb=2\n',
    ],
    [
      'keeps a backslash pair at the end apart from a line that goes on',
      'a=x\\\\\nb=1\n',
      [['b', '2']],
      'a=x\\\\\nb=2\n',
    ],
    [
      'knows a colon and a space as separators',
      'a:1\nb 2\n',
      [
        ['a', '3'],
        ['b', '4'],
      ],
      'a:3\nb 4\n',
    ],
    ['sets every place of a key', 'a=1\na=2\n', [['a', '3']], 'a=3\na=3\n'],
  ])
})

describe('ini', () => {
  golden(editIni, [
    [
      'sets root keys and keys of sections',
      'a=1\n[s]\na=2 \n',
      [
        ['a', '3'],
        ['s.a', '4'],
      ],
      'a=3\n[s]\na=4\n',
    ],
    [
      'keeps comments, order and spacing',
      '; c\n[s] # head\nkey   = old\n\n[t]\nkey = x\n',
      [['s.key', 'new']],
      '; c\n[s] # head\nkey   = new\n\n[t]\nkey = x\n',
    ],
    [
      'adds a key at the end of its section',
      '[s]\na=1\n\n[t]\nb=2\n',
      [['s.c', '3']],
      '[s]\na=1\nc=3\n\n[t]\nb=2\n',
    ],
    ['adds a section', 'a = 1\n', [['s.b', '2']], 'a = 1\n\n[s]\nb = 2\n'],
    [
      'makes an empty file',
      '',
      [
        ['port', '1'],
        ['net.name', 'x'],
      ],
      'port = 1\n\n[net]\nname = x\n',
    ],
    [
      'reads dots inside brackets as part of the section',
      '[/Script/Engine.Game]\nMax=1\n',
      [['[/Script/Engine.Game].Max', '9']],
      '[/Script/Engine.Game]\nMax=9\n',
    ],
    ['leaves the dots of a key alone', '[s]\na.b=1\n', [['s.a.b', '2']], '[s]\na.b=2\n'],
    [
      'sets the last of several keys of one name',
      '[s]\nx=1\nx=2\n',
      [['s.x', '3']],
      '[s]\nx=1\nx=3\n',
    ],
    ['keeps a value on its line', 'a=1\n', [['a', 'x\n[admin]\nroot=1']], 'a=x [admin] root=1\n'],
    ['compares without quotes', 'a="1"\n', [['a', '2', '1']], 'a=2\n'],
    [
      'replaces by expression',
      '[s]\nhost=127.0.0.1:80\n',
      [['s.host', '10.0.0.1:$1', 'regex:^127\\.0\\.0\\.1:(\\d+)$']],
      '[s]\nhost=10.0.0.1:80\n',
    ],
  ])
})

describe('json', () => {
  golden(editJson, [
    [
      'keeps indentation, order and the type of what was there',
      '{\n  "b": 1,\n  "a": "1",\n  "c": true\n}\n',
      [
        ['b', '2'],
        ['a', '2'],
        ['c', 'false'],
      ],
      '{\n  "b": 2,\n  "a": "2",\n  "c": false\n}\n',
    ],
    [
      'makes missing folders; new whole numbers are numbers',
      '{}',
      [
        ['net.port', '25565'],
        ['net.name', 'x'],
        ['net.old', '007'],
      ],
      '{"net":{"port":25565,"name":"x","old":"007"}}',
    ],
    ['makes an empty file', '', [['a', 'b']], '{\n    "a": "b"\n}\n'],
    [
      'writes typed values as they are',
      '{"a":"x","b":1}',
      [
        ['a', true],
        ['b', null],
      ],
      '{"a":true,"b":null}',
    ],
    [
      'visits every child',
      '{"s":{"x":{"a":"l"},"y":{"a":"m"},"z":1}}',
      [['s.*.a', 'n', 'l']],
      '{"s":{"x":{"a":"n"},"y":{"a":"m"},"z":1}}',
    ],
    [
      'visits every item of a list',
      '{"s":[{"a":1},{"a":2}]}',
      [['s.*.a', '3']],
      '{"s":[{"a":3},{"a":3}]}',
    ],
    [
      'finds items by number and adds the next one',
      '{"l":[{"h":"a"}]}',
      [
        ['l[0].h', 'b'],
        ['l[1].h', 'c'],
      ],
      '{"l":[{"h":"b"},{"h":"c"}]}',
    ],
    ['makes a list', '{}', [['l[0].h', 'a']], '{"l":[{"h":"a"}]}'],
    ['knows ~1 as a dot', '{"a.b":1}', [['a~1b', '2']], '{"a.b":2}'],
    [
      'keeps a number that would not fit as text',
      '{"a":1}',
      [['a', '12345678901234567890']],
      '{"a":"12345678901234567890"}',
    ],
    [
      'sets a key called __proto__ as data',
      '{"a":1}',
      [['__proto__.x', 'y']],
      '{"a":1,"__proto__":{"x":"y"}}',
    ],
  ])

  it.each([
    ['{"a":', [['a', '1']], /JSON/],
    ['7', [['a', '1']], /neither/],
    ['{"a":1}', [['a.b', '1']], /"a" is a plain value/],
    ['{"a":[]}', [['a[3]', '1']], /only 0 items/],
    ['{"a":{}}', [['a[0]', '1']], /not a list/],
  ] as const)('%s refuses %j', (text, edits, words) => {
    expect(() =>
      editJson(
        text,
        edits.map(([match, value]) => ({ match, value })),
      ),
    ).toThrow(words)
  })
})

describe('yaml', () => {
  golden(editYaml, [
    [
      'keeps comments, order and quoting',
      '# top\nb: 1 # one\na: "x"\n\nc: true\n',
      [
        ['b', '2'],
        ['a', 'y'],
        ['c', 'false'],
      ],
      '# top\nb: 2 # one\na: "y"\n\nc: false\n',
    ],
    [
      'sets items of lists',
      'listeners:\n  - host: 0.0.0.0:1\n    query_port: 1\n',
      [
        ['listeners[0].query_port', '25565'],
        ['listeners[0].host', '0.0.0.0:25565'],
      ],
      'listeners:\n  - host: 0.0.0.0:25565\n    query_port: 25565\n',
    ],
    [
      'replaces present values behind a wildcard',
      'servers:\n  a:\n    address: 127.0.0.1:1\n  b:\n    address: localhost:2\n  c:\n    address: example.org:3\n',
      [['servers.*.address', '10.1.2.3$2', 'regex:^(127\\.0\\.0\\.1|localhost)(:\\d{1,5})?$']],
      'servers:\n  a:\n    address: 10.1.2.3:1\n  b:\n    address: 10.1.2.3:2\n  c:\n    address: example.org:3\n',
    ],
    [
      'leaves a wildcard without children alone',
      'servers: {}\n',
      [['servers.*.address', 'x']],
      'servers: {}\n',
    ],
    [
      'makes an empty file',
      '',
      [
        ['a.b', '1'],
        ['c', 'x: y'],
      ],
      'a:\n  b: 1\nc: "x: y"\n',
    ],
    ['finds keys that are numbers', 'ports:\n  80: a\n', [['ports.80', 'b']], 'ports:\n  80: b\n'],
    [
      'writes what an alias shares anew',
      'a: &x\n  k: 1\nb: *x\n',
      [['b.k', '2']],
      'a: &a1\n  k: 2\nb: *a1\n',
    ],
    ['keeps a text that looks like a number quoted', 'a: "5"\n', [['a', '6']], 'a: "6"\n'],
  ])

  it.each([
    ['a: [', [['a', '1']], /./],
    ['- 1\n', [['a', '1']], /is a list/],
    ['just text\n', [['a', '1']], /neither/],
    ['a: 1\n---\nb: 2\n', [['a', '2']], /multiple documents/i],
  ] as const)('%j is refused', (text, edits, words) => {
    expect(() =>
      editYaml(
        text,
        edits.map(([match, value]) => ({ match, value })),
      ),
    ).toThrow(words)
  })
})

describe('toml', () => {
  golden(editToml, [
    [
      'changes lines in place and keeps comments',
      '# c\nbind = "0.0.0.0:1" # port\nn = 1\n\n[servers]\nlobby = "a"\n',
      [
        ['bind', '0.0.0.0:2'],
        ['n', '5'],
        ['servers.lobby', 'b'],
      ],
      '# c\nbind = "0.0.0.0:2" # port\nn = 5\n\n[servers]\nlobby = "b"\n',
    ],
    ['adds what is missing', 'a = 1\n', [['net.port', '2']], 'a = 1\n\n[net]\nport = 2\n'],
    ['makes an empty file', '', [['a', 'x']], 'a = "x"\n'],
    [
      'is not misled by a # inside a text',
      'a = "x # y"\nb = 1\n',
      [['a', 'z']],
      'a = "z"\nb = 1\n',
    ],
    [
      'replaces only what fulfils the condition',
      'a = "1"\nb = "2"\n',
      [
        ['a', '3', '9'],
        ['b', '3', '2'],
      ],
      'a = "1"\nb = "3"\n',
    ],
  ])

  it('keeps dates', () => {
    expect(editToml('d = 2026-01-02\na = 1\n', [{ match: 'x.y', value: '1' }])).toContain(
      'd = 2026-01-02',
    )
  })
})

describe('xml', () => {
  golden(editXml, [
    [
      'sets texts, keeps comments and the declaration',
      '<?xml version="1.0"?>\n<!-- c -->\n<r>\n  <a>1</a>\n</r>\n',
      [['r.a', '2']],
      '<?xml version="1.0"?>\n<!-- c -->\n<r>\n  <a>2</a>\n</r>\n',
    ],
    [
      'finds elements by attribute and sets one',
      '<S>\n  <property name="ServerPort" value="1"/>\n  <property name="B" value="1"/>\n</S>',
      [["S.property[@name='ServerPort']", "[value='25565']"]],
      '<S>\n  <property name="ServerPort" value="25565"/>\n  <property name="B" value="1"/>\n</S>',
    ],
    [
      'makes missing elements, indented',
      '<r>\n  <a>1</a>\n</r>',
      [['r.b.c', 'x']],
      '<r>\n  <a>1</a>\n  <b><c>x</c></b>\n</r>',
    ],
    ['makes an empty file', '', [['r.a', 'x']], '<r><a>x</a></r>'],
    [
      'escapes what would be markup',
      '<r><a>1</a></r>',
      [['r.a', '<b>&"']],
      '<r><a>&lt;b&gt;&amp;&quot;</a></r>',
    ],
    [
      'visits every child',
      '<r><x><a>1</a></x><y><a>2</a></y></r>',
      [['r.*.a', '3']],
      '<r><x><a>3</a></x><y><a>3</a></y></r>',
    ],
    [
      'replaces only what fulfils the condition',
      '<r><a>1</a><b>1</b></r>',
      [
        ['r.a', '2', '9'],
        ['r.b', '2', '1'],
      ],
      '<r><a>1</a><b>2</b></r>',
    ],
    [
      'counts places from one',
      '<r><a>1</a><a>2</a></r>',
      [['r.a[2]', '3']],
      '<r><a>1</a><a>3</a></r>',
    ],
    [
      'keeps entities and character data it does not touch',
      '<r><a>x &amp; y</a><c><![CDATA[<z>]]></c><b>1</b></r>',
      [['r.b', '2']],
      '<r><a>x &amp; y</a><c><![CDATA[<z>]]></c><b>2</b></r>',
    ],
  ])

  it.each([
    ['<a><b></a>', [['a', '1']], /line 1/],
    ['<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', [['a', '1']], /DOCTYPE/],
    ['<a/>', [['b.c', '1']], /root is not/],
    ['<a><b/></a>', [['a', '1']], /holds elements/],
  ] as const)('%s is refused', (text, edits, words) => {
    expect(() =>
      editXml(
        text,
        edits.map(([match, value]) => ({ match, value })),
      ),
    ).toThrow(words)
  })
})

describe('hostile text', () => {
  const hostile = [
    ' '.repeat(300_000),
    `[${']'.repeat(300_000)}x`,
    '\\'.repeat(300_001),
    `a${' '.repeat(300_000)}b`,
    `a = "${'\\'.repeat(300_000)}`,
    '<'.repeat(300_000),
  ]
  const parsers = { editFile, editProperties, editIni, editJson, editYaml, editToml, editXml }

  it.each(Object.entries(parsers))('%s answers or refuses in a moment', (_, parser) => {
    for (const text of hostile) {
      const before = performance.now()
      try {
        parser(text, [
          { match: 'a.b', value: 'c' },
          { match: 'a.b', ifValue: 'regex:(x+x+)+y', value: 'c' },
        ])
      } catch (error) {
        expect(error).toBeInstanceOf(Error)
      }
      expect(performance.now() - before).toBeLessThan(3000)
    }
  })
})
