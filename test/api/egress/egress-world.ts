// Runs in separate network and mount namespaces, in which both public and private addresses lead to
// this machine: `egress-world.ts <resolv.conf>`. Calls out as the product does, and prints the
// results as JSON.
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import https from 'node:https'
import { text } from 'node:stream/consumers'
import { testAuthority } from '../../../agent/src/testing/authority.fixture.ts'
import { download } from '../../../shared/src/egress/download.ts'
import { call } from '../../../shared/src/egress/egress.ts'
import { serveNames } from './changing-names.ts'

const PUBLIC = '1.1.1.1'
const PRIVATE = '10.0.0.7'

execFileSync('mount', ['--bind', process.argv[2] ?? '', '/etc/resolv.conf'])
execFileSync('ip', ['link', 'set', 'lo', 'up'])
for (const address of [PUBLIC, PRIVATE])
  execFileSync('ip', ['address', 'add', `${address}/32`, 'dev', 'lo'])

const NAMES = {
  'steady.names.test': [[PUBLIC]],
  'inside.names.test': [[PRIVATE]],
  'both.names.test': [[PUBLIC, PRIVATE]],
  // Public when checked, private when connected.
  'turns.names.test': [[PUBLIC], [PRIVATE]],
  'turns-on-the-way.names.test': [[PUBLIC], [PRIVATE]],
}
const redirects: Readonly<Record<string, string>> = {
  '/to-name': 'https://inside.names.test/secret',
  '/to-number': `https://${PRIVATE}/secret`,
  '/to-itself': 'https://turns-on-the-way.names.test/secret',
  '/to-plain': 'http://steady.names.test/secret',
  '/to-public': 'https://steady.names.test/file',
}
const reached: string[] = []
const names = await serveNames(NAMES)
const { certificate, leaf } = await testAuthority('*.names.test')
for (const address of [PUBLIC, PRIVATE]) {
  const server = https.createServer(leaf, (request, response) => {
    reached.push(`${address}${request.url}`)
    const location = redirects[request.url ?? '']
    if (location) response.writeHead(302, { location }).end()
    else response.end(`from ${address}`)
  })
  server.listen(443, address)
  await once(server, 'listening')
}

const policy = { allowedHosts: [], authorities: [certificate] }
const called = (url: string) =>
  call(url, { ...policy, method: 'GET', headers: {}, timeoutMs: 5_000 }).then(
    ({ text: said }) => said,
    (error: Error) => `${error.constructor.name}: ${error.message}`,
  )
const downloaded = (url: string) =>
  download(url, policy, AbortSignal.timeout(10_000)).then(
    ({ body }) => text(body),
    (error: Error) => `${error.constructor.name}: ${error.message}`,
  )

const results = {
  steady: await called('https://steady.names.test/'),
  turnsFirst: await called('https://turns.names.test/'),
  turnsThen: await called('https://turns.names.test/'),
  inside: await called('https://inside.names.test/'),
  both: await called('https://both.names.test/'),
  toPublic: await downloaded('https://steady.names.test/to-public'),
  toName: await downloaded('https://steady.names.test/to-name'),
  toNumber: await downloaded('https://steady.names.test/to-number'),
  toItself: await downloaded('https://turns-on-the-way.names.test/to-itself'),
  toPlain: await downloaded('https://steady.names.test/to-plain'),
}
process.stdout.write(JSON.stringify({ results, reached, asked: names.asked }))
process.exit()
