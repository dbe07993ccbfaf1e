import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { DOCUMENT, type Lodge, startLodge } from '../../support/stack.ts'
import { type FileServer, serveFiles } from '../../support/vm-world.ts'

describe('a template document from a URL', () => {
  let files: FileServer
  let inside: FileServer
  let folder: string
  let lodge: Lodge
  let admin: Caller
  let insideWasAsked = false
  beforeAll(async () => {
    files = await serveFiles()
    inside = await serveFiles()
    inside.files.set('/secret', (response) => {
      insideWasAsked = true
      response.end('{}')
    })
    folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-fetched-'))
    const caFile = path.join(folder, 'ca.pem')
    await writeFile(caFile, `${files.authority}\n${inside.authority}`)
    lodge = await startLodge({
      environment: { LODGE_EGRESS_HOSTS: files.host, LODGE_EGRESS_CA: caFile },
    })
    admin = await lodge.admin()
  })
  afterAll(async () => {
    await lodge?.[Symbol.asyncDispose]()
    await files?.[Symbol.asyncDispose]()
    await inside?.[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  })

  const fetched = (address: string) =>
    admin.call('POST /api/templates/fetch', { body: { address } })
  const refusal = async (address: string) => {
    const { status, body } = await fetched(address)
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'validation_failed', errors: [{ pointer: '/address' }] })
    return (body as unknown as { errors: [{ detail: string }] }).errors[0].detail
  }
  const redirect = (location: string) => {
    files.files.set('/hop', (response) => response.writeHead(302, { location }).end())
    return files.url('/hop')
  }

  test('is fetched, shown and imported', async () => {
    files.files.set('/echo.json', Buffer.from(JSON.stringify(DOCUMENT)))
    const { document } = (await fetched(redirect('/echo.json'))).body
    const { template } = await admin.must('POST /api/templates/import', { body: { document } })
    expect(template.name).toBe(DOCUMENT.name)
  })

  test('is not fetched from a private address, not even through a redirect', async () => {
    const secret = inside.url('/secret')
    for (const address of [
      secret,
      redirect(secret),
      redirect('http://169.254.169.254/latest/meta-data'),
      redirect('http://[::1]:9/'),
      redirect('file:///etc/passwd'),
    ])
      expect(await refusal(address), address).toMatch(/^is not fetched: /)
    expect(insideWasAsked).toBe(false)
  })

  test('must not be huge or slow', async () => {
    let sent = 0
    files.files.set('/huge', (response) => {
      const more = () => {
        while (response.writable && response.write(Buffer.alloc(65_536))) sent += 65_536
      }
      response.on('drain', more)
      more()
    })
    expect(await refusal(files.url('/huge'))).toBe('leads to more than 1 MiB')
    expect(sent).toBeLessThan(64 * 1_048_576)
    files.files.set('/slow', (response) => {
      const drip = setInterval(() => response.write(' '), 200)
      response.on('close', () => clearInterval(drip))
    })
    expect(await refusal(files.url('/slow'))).toBe('did not give its document within 10 s')
  })

  test('that is missing or invalid is reported in words', async () => {
    files.files.set('/page', Buffer.from('<!doctype html><p>Sign in to see this'))
    const { document } = (await fetched(files.url('/page'))).body
    const refused = await admin.call('POST /api/templates/import', { body: { document } })
    expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_template' } })
    expect(await refusal(files.url('/nothing'))).toBe('is not answered: the server answered 404')
    expect(await refusal('https://nobody.invalid/egg.json')).toMatch(/^cannot be reached/)
  })
})
