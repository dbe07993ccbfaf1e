import type { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import http from 'node:http'
import https from 'node:https'
import os from 'node:os'
import path from 'node:path'
import tls from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../../control-plane/src/config.ts'
import { createAuthority, createLeaf } from '../../../control-plane/src/fleet/certificates.ts'
import { type Pebble, startPebble } from '../../support/pebble.ts'
import { freePort } from '../../support/processes.ts'
import { selfSigned } from '../../support/self-signed.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'

const NAME = 'panel.example.test'

interface Answer {
  readonly status: number | undefined
  readonly headers: http.IncomingHttpHeaders
}

/** The response over plain HTTP. */
const plainly = (lodge: Lodge, given: { path?: string; host?: string } = {}): Promise<Answer> =>
  answerOf(
    http.request(`${lodge.url}${given.path ?? '/api/auth/status'}`, {
      agent: false,
      headers: { host: given.host ?? NAME },
    }),
  )

/** The response over TLS, without checking the certificate. */
const securely = (lodge: Lodge, options: https.RequestOptions = {}, body?: string) =>
  answerOf(
    https.request({
      host: '127.0.0.1',
      port: lodge.controlPlane.tlsPort,
      path: '/api/auth/status',
      servername: NAME,
      rejectUnauthorized: false,
      agent: false,
      ...options,
      headers: { host: NAME, ...options.headers },
    }),
    body,
  )

async function answerOf(call: http.ClientRequest, body?: string): Promise<Answer> {
  call.end(body)
  const [response] = (await once(call, 'response')) as [http.IncomingMessage]
  response.resume()
  await once(response, 'end')
  return { status: response.statusCode, headers: response.headers }
}

/** The certificate in use; undefined without one. */
async function shown(lodge: Lodge): Promise<X509Certificate | undefined> {
  const { tlsPort = 0 } = lodge.controlPlane
  const socket = tls.connect({
    port: tlsPort,
    host: '127.0.0.1',
    servername: NAME,
    rejectUnauthorized: false,
  })
  try {
    await once(socket, 'secureConnect')
    return socket.getPeerX509Certificate()
  } catch {
    return undefined
  } finally {
    socket.destroy()
  }
}

describe('with a certificate from files', () => {
  let folder: string
  let lodge: Lodge
  const file = (name: string) => path.join(folder, name)

  async function place(): Promise<void> {
    const { certificate, key } = await selfSigned(NAME)
    await writeFile(file('new-key'), key)
    await writeFile(file('new-certificate'), certificate)
    await rename(file('new-key'), file('key.pem'))
    await rename(file('new-certificate'), file('certificate.pem'))
  }

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-https-'))
    await place()
    lodge = await startLodge({
      environment: {
        LODGE_TLS_CERT: file('certificate.pem'),
        LODGE_TLS_KEY: file('key.pem'),
        LODGE_HTTPS_PORT: '0',
        WEB_ORIGIN: `https://${NAME}`,
      },
    })
  })
  afterAll(async () => {
    await lodge?.[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })

  test('the panel is served over HTTPS, and its session cookie is never sent without', async () => {
    expect((await securely(lodge)).status).toBe(200)
    const body = JSON.stringify({ email: 'root@example.com', password: 'a long enough password' })
    const { status, headers } = await securely(
      lodge,
      {
        method: 'POST',
        path: '/api/auth/bootstrap',
        headers: { 'content-type': 'application/json', 'content-length': body.length },
      },
      body,
    )
    expect(status).toBe(201)
    expect(headers['set-cookie']?.join()).toMatch(/panel_session=.*; Secure/)
  })

  test('plain HTTP redirects to it, except for this machine itself', async () => {
    const { status, headers } = await plainly(lodge, { path: '/servers?q=1' })
    expect({ status, location: headers.location }).toEqual({
      status: 308,
      location: `https://${NAME}/servers?q=1`,
    })
    expect((await plainly(lodge, { host: `localhost:${lodge.controlPlane.port}` })).status).toBe(
      200,
    )
  })

  test.each(['TLSv1', 'TLSv1.1'] as const)('%s is refused', async (version) => {
    const old = tls.connect({
      host: '127.0.0.1',
      port: lodge.controlPlane.tlsPort ?? 0,
      minVersion: version,
      maxVersion: version,
      ciphers: 'DEFAULT@SECLEVEL=0',
    })
    await expect(once(old, 'secureConnect')).rejects.toMatchObject({
      code: 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
    })
  })

  test('a certificate that is renewed on disk is used without a restart', async () => {
    const before = await shown(lodge)
    await place()
    await until(async () => (await shown(lodge))?.serialNumber !== before?.serialNumber)
  })

  test('a certificate that cannot be read leaves the old one in use', async () => {
    const before = await shown(lodge)
    await writeFile(file('certificate.pem'), 'half a certif')
    expect((await shown(lodge))?.serialNumber).toBe(before?.serialNumber)
    await place()
    await until(async () => (await shown(lodge))?.serialNumber !== before?.serialNumber)
  })
})

test('a key without a certificate, and two sources of certificates, are reported at startup', () => {
  expect(() => readConfig({ LODGE_TLS_CERT: '/a' })).toThrow(/LODGE_TLS_KEY.*belong together/)
  expect(() =>
    readConfig({ LODGE_TLS_CERT: '/a', LODGE_TLS_KEY: '/b', LODGE_DOMAIN: NAME }),
  ).toThrow(/LODGE_DOMAIN.*not both/)
})

describe('with a domain', () => {
  let pebble: Pebble
  let lodge: Lodge
  let other: Lodge
  let authority: string

  beforeAll(async () => {
    const port = await freePort()
    pebble = await startPebble(port)
    authority = path.join(await mkdtemp(path.join(os.tmpdir(), 'lodge-authority-')), 'ca.pem')
    await writeFile(authority, pebble.authority)
    const environment = {
      LODGE_DOMAIN: NAME,
      LODGE_ACME_DIRECTORY: pebble.directory,
      LODGE_ACME_EMAIL: 'operator@example.com',
      LODGE_EGRESS_HOSTS: pebble.host,
      LODGE_EGRESS_CA: authority,
      LODGE_HTTPS_PORT: '0',
    }
    lodge = await startLodge({
      environment: { ...environment, LODGE_PORT: String(port), WEB_ORIGIN: `https://${NAME}` },
    })
    other = await startLodge({ beside: lodge, environment })
  })
  afterAll(async () => {
    await other?.[Symbol.asyncDispose]()
    await lodge?.[Symbol.asyncDispose]()
    await pebble?.[Symbol.asyncDispose]()
    await rm(path.dirname(authority), { recursive: true, force: true })
  })

  const kept = (name: string) => path.join(lodge.dataFolder, 'tls', name)

  test('a certificate is ordered from an ACME authority by one of the instances, and all use it', async () => {
    const certificate = await until(() => shown(lodge))
    expect(certificate.subjectAltName).toBe(`DNS:${NAME}`)
    expect(certificate.issuer).toMatch(/Pebble/)
    const there = await until(() => shown(other))
    expect(there.serialNumber).toBe(certificate.serialNumber)
    const { status, headers } = await plainly(lodge)
    expect({ status, location: headers.location }).toEqual({
      status: 308,
      location: `https://${NAME}/api/auth/status`,
    })
    expect((await securely(lodge)).status).toBe(200)
  })

  test('its key and the account key are readable only for us', async () => {
    for (const name of ['account.json', 'certificate.pem'])
      expect((await stat(kept(name))).mode & 0o777, name).toBe(0o600)
    expect(await readFile(kept('certificate.pem'), 'utf8')).toMatch(
      /BEGIN CERTIFICATE[\s\S]*BEGIN PRIVATE KEY/,
    )
  })

  test('an unknown challenge, and one with a path traversal, is not found', async () => {
    for (const token of ['nothing', '..%2faccount.json', '..%2f..%2ftls%2faccount.json'])
      expect((await plainly(lodge, { path: `/.well-known/acme-challenge/${token}` })).status).toBe(
        404,
      )
  })

  test('one that is about to expire is renewed with the same account', async () => {
    const account = await readFile(kept('account.json'))
    const before = await shown(lodge)
    const authorityPem = await createAuthority(new Date())
    const monthAgo = new Date(Date.now() - 29 * 86_400_000)
    const old = await createLeaf(authorityPem, authorityPem, NAME, monthAgo, 30)
    await writeFile(kept('old'), `${old.certificate}\n${old.key}`, { mode: 0o600 })
    await rename(kept('old'), kept('certificate.pem'))
    await other[Symbol.asyncDispose]()
    // The renewal task, which runs every quarter of an hour, also runs at startup.
    other = await startLodge({
      beside: lodge,
      environment: {
        LODGE_DOMAIN: NAME,
        LODGE_ACME_DIRECTORY: pebble.directory,
        LODGE_EGRESS_HOSTS: pebble.host,
        LODGE_EGRESS_CA: authority,
        LODGE_HTTPS_PORT: '0',
      },
    })
    const renewed = await until(async () => {
      const now = await shown(lodge)
      return now?.issuer.includes('Pebble') && now.serialNumber !== before?.serialNumber && now
    })
    expect(renewed.subjectAltName).toBe(`DNS:${NAME}`)
    expect(await readFile(kept('account.json'))).toEqual(account)
  })
})
