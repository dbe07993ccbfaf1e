import { once } from 'node:events'
import http from 'node:http'
import { expect, test } from 'vitest'
import { isPublicAddress } from '../addresses.ts'
import { checkedAddress, EgressRefused, postForm } from './egress.ts'

test.each([
  '127.0.0.1',
  '10.0.0.1',
  '192.168.1.1',
  '172.16.0.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '255.255.255.255',
  '224.0.0.1',
  '::1',
  '::',
  'fe80::1',
  'fc00::1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  'fd00:ec2::254',
  'nonsense',
])('%s is not on the public internet', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test('public addresses are on the public internet', () => {
  expect(['1.1.1.1', '2606:4700::1111', '::ffff:8.8.8.8'].map(isPublicAddress)).toEqual([
    true,
    true,
    true,
  ])
})

/** A local server that would answer if a request reached it. */
async function server(answer: http.RequestListener) {
  let reached = 0
  const listening = http.createServer((request, response) => {
    reached++
    answer(request, response)
  })
  listening.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const address = listening.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    port: address.port,
    reached: () => reached,
    async [Symbol.asyncDispose]() {
      listening.closeAllConnections()
      listening.close()
    },
  }
}

test('Wings-SSRF: no spelling of a local address is connected to', async () => {
  await using local = await server((_request, response) => response.end('secret'))
  for (const host of [
    '127.0.0.1',
    '[::1]',
    '2130706433',
    '0x7f.1',
    '0.0.0.0',
    '[::ffff:127.0.0.1]',
    'localhost',
  ])
    await expect(postForm(`https://${host}:${local.port}/`, {}), host).rejects.toThrow(
      EgressRefused,
    )
  await expect(postForm(`https://127.0.0.1:${local.port}/`, {})).rejects.toThrow(
    'name its host:port in LODGE_EGRESS_HOSTS',
  )
  expect(local.reached()).toBe(0)
})

test('an address without https or with credentials is refused', async () => {
  for (const address of [
    'http://1.1.1.1/',
    'ftp://1.1.1.1/',
    'file:///etc/passwd',
    'https://a:b@1.1.1.1/',
  ])
    await expect(postForm(address, {}), address).rejects.toThrow(EgressRefused)
})

test('an allowed host is reached; its redirect is returned and not followed', async () => {
  await using other = await server((_request, response) => response.end('elsewhere'))
  await using local = await server((_request, response) =>
    response.writeHead(302, { location: `http://127.0.0.1:${other.port}/` }).end(),
  )
  const allowedHosts = [`127.0.0.1:${local.port}`]
  const reply = await postForm(`http://127.0.0.1:${local.port}/`, { a: '1' }, { allowedHosts })
  expect(reply.status).toBe(302)
  expect(other.reached()).toBe(0)
})

test('a response may be neither large nor slow', async () => {
  await using large = await server((_request, response) => response.end('x'.repeat(2000)))
  await using slow = await server(() => undefined)
  const to = (port: number) => ({
    address: `http://127.0.0.1:${port}/`,
    options: { allowedHosts: [`127.0.0.1:${port}`], maxBytes: 1000, timeoutMs: 200 },
  })
  const [a, b] = [to(large.port), to(slow.port)]
  await expect(postForm(a.address, {}, a.options)).rejects.toThrow('too large')
  await expect(postForm(b.address, {}, b.options)).rejects.toThrow()
})

test.each([
  ['https://10.0.0.7/iso', '10.0.0.7:443'],
  ['https://10.0.0.7/iso', '10.0.0.7'],
  ['http://10.0.0.7/iso', '10.0.0.7:80'],
  ['https://10.0.0.7:8443/iso', '10.0.0.7:8443'],
  ['https://[fd00::7]/iso', '[fd00::7]:443'],
])('%s is allowed by %s, whether or not its port is the usual one', async (url, named) => {
  const { hostname } = new URL(url)
  const address = hostname.replace(/^\[|\]$/g, '')
  expect(await checkedAddress(new URL(url), [named])).toBe(address)
  const other = named.replace(/(:\d+)?$/, ':8006')
  await expect(checkedAddress(new URL(url), [other])).rejects.toThrow(EgressRefused)
})
