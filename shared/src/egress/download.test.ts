import { once } from 'node:events'
import http from 'node:http'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { DownloadRefused, download } from './download.ts'
import { EgressRefused } from './egress.ts'

const CONTENT = Buffer.from('0123456789')
const never = new AbortController().signal

/** A local server; `asked` records the path and the range of each request. */
async function server(answer: http.RequestListener) {
  const requests: { path: string; range: string | undefined }[] = []
  const listening = http.createServer((request, response) => {
    requests.push({ path: request.url ?? '', range: request.headers.range })
    answer(request, response)
  })
  listening.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const address = listening.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const host = `127.0.0.1:${address.port}`
  return {
    host,
    port: address.port,
    url: (path: string) => `http://${host}${path}`,
    policy: { allowedHosts: [host], authorities: [] },
    asked: requests,
    async [Symbol.asyncDispose]() {
      listening.closeAllConnections()
      listening.close()
    },
  }
}

test('a file of an allowed host is read whole, also after a redirect on that host', async () => {
  await using local = await server((request, response) =>
    request.url === '/hop'
      ? response.writeHead(302, { location: '/file' }).end()
      : response.writeHead(200, { 'content-length': CONTENT.length }).end(CONTENT),
  )
  const found = await download(local.url('/hop'), local.policy, never)
  expect(found).toMatchObject({ sizeBytes: 10, offset: 0 })
  expect(await buffer(found.body)).toEqual(CONTENT)
  expect(local.asked.map(({ range }) => range)).toEqual([undefined, undefined])
})

test('Wings-SSRF: no redirect leads to a private address, by number or by name', async () => {
  await using inside = await server((_request, response) => response.end('secret'))
  for (const target of [
    `http://${inside.host}/`,
    `https://${inside.host}/`,
    `https://localhost:${inside.port}/`,
    `https://[::ffff:127.0.0.1]:${inside.port}/`,
    'https://169.254.169.254/latest/meta-data',
  ]) {
    await using outside = await server((_request, response) =>
      response.writeHead(302, { location: target }).end(),
    )
    const work = download(outside.url('/'), outside.policy, never)
    await expect(work, target).rejects.toThrow(EgressRefused)
  }
  expect(inside.asked).toEqual([])
})

test('a name that resolves to this machine is refused before anything is sent', async () => {
  await using inside = await server((_request, response) => response.end('secret'))
  const policy = { allowedHosts: [], authorities: [] }
  for (const host of ['localhost', '127.0.0.1', '[::1]'])
    await expect(download(`https://${host}:${inside.port}/`, policy, never), host).rejects.toThrow(
      EgressRefused,
    )
  expect(inside.asked).toEqual([])
})

test('a redirect loop ends', async () => {
  await using local = await server((_request, response) =>
    response.writeHead(302, { location: '/' }).end(),
  )
  await expect(download(local.url('/'), local.policy, never)).rejects.toThrow('too often')
  expect(local.asked.length).toBeLessThan(10)
})

test('a resumed download follows redirects and reports the size of the whole file', async () => {
  await using local = await server((request, response) =>
    request.url === '/hop'
      ? response.writeHead(302, { location: '/file' }).end()
      : response.writeHead(206, { 'content-range': 'bytes 4-9/10' }).end(CONTENT.subarray(4)),
  )
  const found = await download(local.url('/hop'), local.policy, never, 4)
  expect(found).toMatchObject({ sizeBytes: 10, offset: 4 })
  expect(await buffer(found.body)).toEqual(CONTENT.subarray(4))
  expect(local.asked).toEqual([
    { path: '/hop', range: 'bytes=4-' },
    { path: '/file', range: 'bytes=4-' },
  ])
})

test('a server that sends the whole file instead of the rest is read from its beginning', async () => {
  await using local = await server((_request, response) => response.end(CONTENT))
  const found = await download(local.url('/'), local.policy, never, 4)
  expect(found.offset).toBe(0)
  expect(await buffer(found.body)).toEqual(CONTENT)
})

test.each([
  ['another place than was asked for', 4, { 'content-range': 'bytes 3-9/10' }],
  ['no place at all', 4, {}],
  ['a part where all was asked for', 0, { 'content-range': 'bytes 0-4/10' }],
])('a partial response with %s is refused', async (_name, offset, headers) => {
  await using local = await server((_request, response) =>
    response.writeHead(206, headers).end(CONTENT),
  )
  const work = download(local.url('/'), local.policy, never, offset)
  await expect(work).rejects.toThrow(DownloadRefused)
})
