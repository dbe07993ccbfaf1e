import { describe, expect, it } from 'vitest'
import { golden } from '../testing/golden.ts'
import { editJson } from './json.ts'
import { editToml } from './toml.ts'
import { editXml } from './xml.ts'
import { editYaml } from './yaml.ts'

describe('json', () => {
  golden(editJson, [
    [
      'keeps indentation, order and value types',
      '{\n  "b": 1,\n  "a": "1",\n  "c": true\n}\n',
      [
        ['b', '2'],
        ['a', '2'],
        ['c', 'false'],
      ],
      '{\n  "b": 2,\n  "a": "2",\n  "c": false\n}\n',
    ],
    [
      'creates missing objects; new integers become numbers',
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
      'finds items by index and appends the next one',
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
      'keeps a number beyond the safe range as text',
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
      'replaces existing values behind a wildcard',
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
      'fills an empty file',
      '',
      [
        ['a.b', '1'],
        ['c', 'x: y'],
      ],
      'a:\n  b: 1\nc: "x: y"\n',
    ],
    ['finds keys that are numbers', 'ports:\n  80: a\n', [['ports.80', 'b']], 'ports:\n  80: b\n'],
    [
      'reserializes values that an alias shares',
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
      'is not misled by a # inside a string',
      'a = "x # y"\nb = 1\n',
      [['a', 'z']],
      'a = "z"\nb = 1\n',
    ],
    [
      'replaces only values that match the condition',
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
      [["S/property[@name='ServerPort']", "[value='25565']"]],
      '<S>\n  <property name="ServerPort" value="25565"/>\n  <property name="B" value="1"/>\n</S>',
    ],
    [
      'creates missing elements, indented',
      '<r>\n  <a>1</a>\n</r>',
      [['r.b.c', 'x']],
      '<r>\n  <a>1</a>\n  <b><c>x</c></b>\n</r>',
    ],
    ['makes an empty file', '', [['r.a', 'x']], '<r><a>x</a></r>'],
    [
      'escapes markup characters',
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
      'replaces only values that match the condition',
      '<r><a>1</a><b>1</b></r>',
      [
        ['r.a', '2', '9'],
        ['r.b', '2', '1'],
      ],
      '<r><a>1</a><b>2</b></r>',
    ],
    [
      'counts positions from one',
      '<r><a>1</a><a>2</a></r>',
      [['r.a[2]', '3']],
      '<r><a>1</a><a>3</a></r>',
    ],
    [
      'keeps untouched entities and character data',
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
