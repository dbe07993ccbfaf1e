import { expect, test } from 'vitest'
import { connectionHints } from './connection.ts'
import { TemplateDocument } from './document.ts'

const documentWith = (connection: string[]) =>
  TemplateDocument.parse({
    format: 'lodge/v1',
    name: 'Game',
    kind: 'container',
    runtime: {
      images: [{ name: 'default', source: { kind: 'registry', reference: 'a/b:1' } }],
      startup: { kind: 'argv', command: [] },
      dataPath: '/data',
      proofOfLife: {},
      stop: [{ kind: 'signal', signal: 'SIGTERM', timeoutSeconds: 5 }],
    },
    variables: [
      { name: 'World', env: 'WORLD', default: 'earth' },
      { name: 'Password', env: 'JOIN_PASSWORD', default: 'hunter2', secret: true },
      { name: 'Seed', env: 'SEED', default: '7', userViewable: false },
    ],
    connection,
  })
const server = {
  name: 'One',
  address: 'play.example.com',
  ports: [
    { offset: 0, hostPort: 30_000 },
    { offset: 1, hostPort: 30_007 },
  ],
  variables: { WORLD: 'mars\nrover' },
}

test.each([
  ['{{server.address}}:{{server.port}}', ['play.example.com:30000']],
  ['port {{SERVER_PORT}}, query {{SERVER_PORT_1}}', ['port 30000, query 30007']],
  ['{{server.name}} in {{WORLD}}', ['One in mars rover']],
])('"%s" becomes %j', (hint, hints) => {
  expect(connectionHints(documentWith([hint]), server)).toEqual(hints)
})

test.each([
  '{{JOIN_PASSWORD}}',
  '{{SEED}}',
  '{{NOTHING}}',
  '{{SERVER_PORT_2}}',
  '{{server.memory}}',
])('a hint with %s is left out: not everybody may read it, or nobody knows it', (hint) => {
  expect(connectionHints(documentWith([hint, 'Come in']), server)).toEqual(['Come in'])
})

test('nobody is told how to connect to a server without an address', () => {
  expect(connectionHints(documentWith(['Come in']), { ...server, address: null })).toEqual([])
})
