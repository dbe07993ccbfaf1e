import { describe } from 'vitest'
import { golden } from '../testing/golden.ts'
import { editFile } from './file.ts'
import { editIni } from './ini.ts'
import { editProperties } from './properties.ts'

describe('file', () => {
  golden(editFile, [
    [
      'replaces whole lines that begin with the match',
      'port 1\n port 2\nport 3 # x\n',
      [['port', 'port 9']],
      'port 9\n port 2\nport 9\n',
    ],
    ['adds nothing', 'a\n', [['b', 'b=1']], 'a\n'],
    ['keeps a value on its line', 'motd x\n', [['motd', 'motd a\nop me\r\nb']], 'motd a op me b\n'],
    ['takes an empty match for every line', '8005\n', [['', '9000']], '9000\n'],
    ['finds no line in an empty file', '', [['', '9000']], ''],
    ['keeps Windows line ends and a missing last one', 'a=1\r\nb=2', [['b=', 'b=3']], 'a=1\r\nb=3'],
    [
      'treats the match as text, not as an expression',
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
      'compares the rest of the line with the condition',
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
      'adds missing keys, dots included',
      'a=1\n',
      [['query.port', '25565']],
      'a=1\nquery.port=25565\n',
    ],
    ['makes an empty file', '', [['eula', 'true']], 'eula=true\n'],
    [
      'escapes non-ASCII characters',
      'motd=x\n',
      [['motd', 'Grüße\n§aok\\']],
      'motd=Gr\\u00FC\\u00DFe\\n\\u00A7aok\\\\\n',
    ],
    [
      'reads escapes and continuation lines',
      'a\\ b=1\nmotd=one\\\n   two\nc=3\n',
      [
        ['a b', '2'],
        ['motd', 'x', 'onetwo'],
      ],
      'a\\ b=2\nmotd=x\nc=3\n',
    ],
    [
      'replaces a value only where the condition matches',
      'a=1\nb=1\n',
      [
        ['a', '2', '9'],
        ['b', '2', '1'],
        ['c', '2', ''],
      ],
      'a=1\nb=2\n',
    ],
    [
      'does not mistake a trailing escaped backslash for a continuation',
      'a=x\\\\\nb=1\n',
      [['b', '2']],
      'a=x\\\\\nb=2\n',
    ],
    [
      'accepts a colon or a space as separator',
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
      'sets root keys and section keys',
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
      'fills an empty file',
      '',
      [
        ['port', '1'],
        ['net.name', 'x'],
      ],
      'port = 1\n\n[net]\nname = x\n',
    ],
    [
      'treats dots inside brackets as part of the section',
      '[/Script/Engine.Game]\nMax=1\n',
      [['[/Script/Engine.Game].Max', '9']],
      '[/Script/Engine.Game]\nMax=9\n',
    ],
    ['leaves the dots of a key alone', '[s]\na.b=1\n', [['s.a.b', '2']], '[s]\na.b=2\n'],
    [
      'sets the last of several keys with the same name',
      '[s]\nx=1\nx=2\n',
      [['s.x', '3']],
      '[s]\nx=1\nx=3\n',
    ],
    ['keeps a value on its line', 'a=1\n', [['a', 'x\n[admin]\nroot=1']], 'a=x [admin] root=1\n'],
    ['compares without quotes', 'a="1"\n', [['a', '2', '1']], 'a=2\n'],
    [
      'replaces by regular expression',
      '[s]\nhost=127.0.0.1:80\n',
      [['s.host', '10.0.0.1:$1', 'regex:^127\\.0\\.0\\.1:(\\d+)$']],
      '[s]\nhost=10.0.0.1:80\n',
    ],
  ])
})
