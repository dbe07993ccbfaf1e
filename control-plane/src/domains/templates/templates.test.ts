import { randomUUID } from 'node:crypto'
import { builtInTemplates } from '@lodge/shared/templates/builtin/all.ts'
import { TemplateDocument, type TemplateDocumentInput } from '@lodge/shared/templates/document.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Lodge, startLodge } from '../../../../test/support/stack.ts'
import { contextFor } from '../../context.ts'
import { seedBuiltInTemplates } from './built-in.ts'

let lodge: Lodge
beforeAll(async () => {
  lodge = await startLodge()
})
afterAll(() => lodge[Symbol.asyncDispose]())

/** A GIF of three by two pixels. */
const OTHER_PICTURE =
  'data:image/gif;base64,R0lGODlhAwACAPAAAP8AAAAAACH5BAAAAAAALAAAAAADAAIAAAIChF8AOw=='
const input = (changes: Partial<TemplateDocumentInput> = {}): TemplateDocumentInput => ({
  format: 'lodge/v1',
  name: `Template ${randomUUID().slice(0, 8)}`,
  description: 'For the host',
  kind: 'container',
  runtime: {
    images: [{ name: 'Main', source: { kind: 'registry', reference: 'example.org/image:1' } }],
    startup: { kind: 'argv', command: ['/bin/secret-command', '{{MODE}}'] },
    environment: { SECRET_ENVIRONMENT: 'secret-value' },
    dataPath: '/data',
    proofOfLife: { stayUpSeconds: 1 },
    stop: [{ kind: 'signal', signal: 'SIGTERM', timeoutSeconds: 5 }],
    install: {
      image: { kind: 'registry', reference: 'example.org/install:1' },
      interpreter: ['sh'],
      script: 'secret-script',
    },
  },
  variables: [
    { name: 'Mode', env: 'MODE', default: 'a', rules: [{ rule: 'in', values: ['a', 'b'] }] },
    { name: 'Hidden', env: 'HIDDEN', default: 'hidden-default', userViewable: false },
    { name: 'Token', env: 'TOKEN', default: 'token-default', secret: true },
  ],
  ...changes,
})

const create = async (changes: Partial<TemplateDocumentInput> = {}) =>
  (await lodge.admin()).must('POST /api/templates', { body: input(changes) })
const show = async (id: string) =>
  (await lodge.admin()).must('GET /api/templates/{id}', { params: { id } })

describe('templates', () => {
  test('come with Lodge and are not released to customers', async () => {
    const admin = await lodge.admin()
    const { items } = await admin.must('GET /api/templates', { query: { limit: 100 } })
    const builtIn = items.filter((item) => item.origin === 'builtin')
    expect(builtIn.map((item) => item.id).sort()).toEqual(
      builtInTemplates()
        .map((item) => item.uuid)
        .sort(),
    )
    expect(builtIn.some((item) => item.customerVisible)).toBe(false)
    const customer = await lodge.customer()
    expect((await customer.must('GET /api/templates')).items).toEqual([])
  })

  test('that are released show customers no commands, environment, scripts or hidden values', async () => {
    const admin = await lodge.admin()
    const customer = await lodge.customer()
    const { id } = await create()
    await admin.must('PUT /api/templates/{id}/store', {
      params: { id },
      body: { customerVisible: true, customerDescription: 'For customers' },
    })
    const answer = await customer.call('GET /api/templates')
    const seen = answer.body.items.find((item) => item.id === id)
    expect(seen).toMatchObject({ description: 'For customers', servers: 0, outdatedServers: 0 })
    expect(seen?.variables.map((variable) => variable.env)).toEqual(['MODE', 'TOKEN'])
    expect(JSON.stringify(answer.body)).not.toMatch(/secret-|hidden-default|token-default/)
    expect((await customer.call('GET /api/templates/{id}', { params: { id } })).status).toBe(403)
    await admin.must('PUT /api/templates/{id}/store', {
      params: { id },
      body: { customerVisible: false },
    })
    expect((await customer.must('GET /api/templates')).items.map((item) => item.id)).not.toContain(
      id,
    )
    expect((await show(id)).customerDescription).toBe('For customers')
  })

  test('get a new version when the runtime changes, and only then', async () => {
    const admin = await lodge.admin()
    const { id } = await create()
    const document = TemplateDocument.parse(input({ name: 'Renamed', tags: ['new'] }))
    const edit = (body: TemplateDocumentInput, query = {}) =>
      admin.call('PUT /api/templates/{id}', { params: { id }, body, query })
    expect((await edit(document)).body).toMatchObject({ name: 'Renamed', version: 1 })
    expect((await edit(document)).body.version).toBe(1)
    const other = { ...document, runtime: { ...document.runtime, dataPath: '/elsewhere' } }
    expect((await edit(other, { baseVersion: 1 })).body.version).toBe(2)
    const stale = await edit(document, { baseVersion: 1 })
    expect([stale.status, stale.body]).toMatchObject([409, { code: 'conflict' }])
    const { rows } = await lodge.database.pool.query(
      'select version, document from template_versions where template_id = $1 order by version',
      [id],
    )
    expect(
      rows.map((row) => [row.version, row.document.runtime.dataPath, row.document.name]),
    ).toEqual([
      [1, '/data', 'Renamed'],
      [2, '/elsewhere', 'Renamed'],
    ])
  })

  test('edited concurrently get one version per edit', async () => {
    const admin = await lodge.admin()
    const { id } = await create()
    const { document } = await show(id)
    const paths = Array.from({ length: 8 }, (_, at) => `/data${at}`)
    const answers = await Promise.all(
      paths.map((dataPath) =>
        admin.must('PUT /api/templates/{id}', {
          params: { id },
          body: { ...document, runtime: { ...document.runtime, dataPath } },
        }),
      ),
    )
    expect(answers.map((answer) => answer.version).sort()).toEqual([2, 3, 4, 5, 6, 7, 8, 9])
  })

  test('that are invalid are refused with the place of each error', async () => {
    const admin = await lodge.admin()
    const privileged = { ...input(), runtime: { ...input().runtime, privileged: true } }
    const answer = await admin.call('POST /api/templates', { body: privileged })
    expect([answer.status, answer.body]).toMatchObject([400, { code: 'validation_failed' }])
    expect(JSON.stringify(answer.body)).toContain('/runtime')
  })

  test('name a picture of the set, or bring one that only its address gives, as nothing but a picture', async () => {
    const admin = await lodge.admin()
    const customer = await lodge.customer()
    const drawn = await create({ icon: 'rail' })
    expect(drawn.icon).toBe('rail')
    const strange = await admin.call('POST /api/templates', { body: input({ icon: 'trademark' }) })
    expect([strange.status, strange.body]).toMatchObject([400, { code: 'validation_failed' }])

    const bytes = Buffer.from('89504e470d0a1a0a0000000d494844520000000300000002', 'hex')
    const icon = `data:image/png;base64,${bytes.toString('base64')}`
    const own = await create({ icon })
    expect(own.icon).toMatch(`/api/templates/${own.id}/icon/`)
    const picture = (url: string) => customer.send({ method: 'GET', url })
    const got = await picture(own.icon ?? '')
    expect([got.statusCode, got.rawPayload]).toEqual([200, bytes])
    expect(got.headers).toMatchObject({
      'content-type': 'image/png',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': expect.stringContaining('immutable'),
    })
    const guessed = own.icon?.replace(/[^/]+$/, '0'.repeat(16)) ?? ''
    expect((await picture(guessed)).statusCode).toBe(404)
    const huge = Buffer.from(bytes)
    huge.writeUInt32BE(60_000, 16)
    const refused = await admin.call('POST /api/templates', {
      body: input({ icon: `data:image/png;base64,${huge.toString('base64')}` }),
    })
    expect([refused.status, refused.body]).toMatchObject([
      400,
      { errors: [{ pointer: '/icon', detail: expect.stringContaining('at most 1024 × 1024') }] },
    ])
    // A changed picture has another URL.
    const { document } = await show(own.id)
    const params = { id: own.id }
    const body = { ...document, icon: OTHER_PICTURE }
    expect((await admin.must('PUT /api/templates/{id}', { params, body })).icon).not.toBe(own.icon)
    expect((await picture(own.icon ?? '')).statusCode).toBe(404)
  })

  test('are featured by the host, and some of Lodge are from the start', async () => {
    const admin = await lodge.admin()
    const { items } = await admin.must('GET /api/templates', { query: { limit: 100 } })
    expect(items.filter(({ featured }) => featured).map(({ name }) => name)).toContain('PostgreSQL')
    const { id } = await create()
    const params = { id }
    const body = { customerVisible: false, featured: true }
    expect(await admin.must('PUT /api/templates/{id}/store', { params, body })).toMatchObject({
      featured: true,
    })
    // Fields that the request does not name keep their values.
    const unnamed = await admin.must('PUT /api/templates/{id}/store', {
      params,
      body: { customerVisible: true },
    })
    expect(unnamed).toMatchObject({ featured: true, customerVisible: true })
  })

  test('are deleted when they are custom and unused', async () => {
    const admin = await lodge.admin()
    const remove = (id: string) => admin.call('DELETE /api/templates/{id}', { params: { id } })
    const { id } = await create()
    expect((await remove(id)).status).toBe(204)
    expect((await remove(id)).status).toBe(404)
    const builtIn = await remove(builtInTemplates()[0]!.uuid)
    expect([builtIn.status, builtIn.body]).toMatchObject([409, { code: 'invalid_state' }])
  })
})

describe('documents', () => {
  const egg = {
    meta: { version: 'PTDL_v2', update_url: null },
    name: 'Imported',
    author: 'someone@example.org',
    docker_images: { Main: ' example.org/image:1 ' },
    startup: './run',
    config: { files: '{}', startup: '{"done":"ready"}', logs: '{}', stop: 'stop' },
    scripts: { installation: { script: '', container: '', entrypoint: '' } },
    variables: [],
  }

  test.each([
    ['an object', egg],
    ['JSON text', JSON.stringify(egg)],
    [
      'YAML text',
      'meta:\n  version: PLCN_v3\nname: Imported\ndocker_images:\n  Main: example.org/image:1\nstartup_commands:\n  Default: ./run\nconfig:\n  stop: stop\n',
    ],
  ])('of another panel are imported as %s', async (_, document) => {
    const admin = await lodge.admin()
    const { template } = await admin.must('POST /api/templates/import', { body: { document } })
    expect(template).toMatchObject({ name: 'Imported', origin: 'custom', version: 1 })
  })

  test('produce warnings that stay with the template', async () => {
    const admin = await lodge.admin()
    const { template, warnings } = await admin.must('POST /api/templates/import', {
      body: { document: egg },
    })
    expect(warnings).toHaveLength(1)
    expect((await show(template.id)).warnings[0]).toContain('docker_images.Main')
  })

  test('of a known identity are refused, and accepted with overwrite', async () => {
    const admin = await lodge.admin()
    const id = randomUUID()
    const bring = (document: object, overwrite?: boolean) =>
      admin.call('POST /api/templates/import', {
        body: { document: { ...document }, id, ...(overwrite && { overwrite }) },
      })
    expect((await bring(egg)).body.template).toMatchObject({ id, version: 1 })
    const again = await bring(egg)
    expect([again.status, again.body]).toMatchObject([
      409,
      { code: 'duplicate', existing: { id, name: 'Imported' } },
    ])
    expect(JSON.stringify(again.body)).toContain(
      `(${id}), which exists already: overwrite it, or import`,
    )
    expect((await bring({ ...egg, startup: './other' }, true)).body.template).toMatchObject({
      id,
      version: 2,
    })
  })

  test('of a known identity are imported as a copy on request', async () => {
    const admin = await lodge.admin()
    const document = { ...egg, uuid: randomUUID(), variables: [{ name: 'A', env_variable: 'A' }] }
    const bring = (asCopy: boolean) =>
      admin.must('POST /api/templates/import', { body: { document, asCopy } })
    const { template: first } = await bring(false)
    const { template: copy } = await bring(true)
    expect(copy).toMatchObject({ name: 'Imported (copy)', version: 1, origin: 'custom' })
    expect(copy.id).not.toBe(first.id)
    expect(await show(first.id)).toMatchObject({ name: 'Imported', version: 1 })
    const both = await admin.call('POST /api/templates/import', {
      body: { document, asCopy: true, overwrite: true },
    })
    expect([both.status, both.body]).toMatchObject([400, { code: 'validation_failed' }])
  })

  test.each([
    ['{"meta":', 'The document cannot be read'],
    ['meta:\n  version: PTDL_v9\n', 'meta.version'],
    ['a: 1', 'format'],
    [JSON.stringify({ ...egg, 'x-lodge': { runtime: { privileged: true } } }), 'runtime'],
  ])('that cannot be imported name the error: %s', async (document, words) => {
    const admin = await lodge.admin()
    const { status, body } = await admin.call('POST /api/templates/import', { body: { document } })
    expect([status, body]).toMatchObject([400, { code: 'invalid_template' }])
    expect(JSON.stringify(body)).toContain(words)
  })

  test.each(['lodge', 'ptdl_v2', 'plcn_v3'] as const)(
    'exported as %s are imported unchanged',
    async (format) => {
      const admin = await lodge.admin()
      const { id } = await create()
      const before = await show(id)
      const answer = await admin.call('GET /api/templates/{id}/export', {
        params: { id },
        query: { format },
      })
      expect(answer.headers['content-disposition']).toMatch(
        /^attachment; filename="[a-z0-9._-]+\.json"$/,
      )
      await admin.must('DELETE /api/templates/{id}', { params: { id } })
      const { template, warnings } = await admin.must('POST /api/templates/import', {
        body: { document: answer.body },
      })
      expect(warnings).toEqual([])
      expect(template.id).toBe(id)
      expect((await show(id)).document).toEqual({ ...before.document, uuid: id })
    },
  )
})

describe('built-in templates', () => {
  const seed = (document: TemplateDocument, uuid: string) =>
    seedBuiltInTemplates(contextFor(lodge.controlPlane.services, { kind: 'system' }), [
      { uuid, document },
    ])
  const parse = (changes: Partial<TemplateDocumentInput> = {}) =>
    TemplateDocument.parse(input({ name: 'Built in', ...changes }))

  test('are seeded once, even by many instances at once', async () => {
    const uuid = randomUUID()
    const answers = await Promise.all(Array.from({ length: 6 }, () => seed(parse(), uuid)))
    expect(answers.reduce((sum, answer) => sum + answer.added, 0)).toBe(1)
    expect(await seed(parse(), uuid)).toEqual({ added: 0, upgraded: 0 })
  })

  test('get a new version with a newer Lodge and keep the host’s settings', async () => {
    const admin = await lodge.admin()
    const uuid = randomUUID()
    await seed(parse(), uuid)
    await admin.must('PUT /api/templates/{id}/store', {
      params: { id: uuid },
      body: { customerVisible: true },
    })
    await seed(parse({ tags: ['better'] }), uuid)
    expect(await show(uuid)).toMatchObject({ version: 1, tags: ['better'] })
    await seed(parse({ variables: [] }), uuid)
    expect(await show(uuid)).toMatchObject({ version: 2, origin: 'builtin', customerVisible: true })
  })

  test('that were edited belong to the host and are left alone', async () => {
    const admin = await lodge.admin()
    const uuid = randomUUID()
    await seed(parse(), uuid)
    const edited = parse({ description: 'Edited' })
    await admin.must('PUT /api/templates/{id}', { params: { id: uuid }, body: edited })
    expect(await seed(parse({ variables: [] }), uuid)).toEqual({ added: 0, upgraded: 0 })
    expect(await show(uuid)).toMatchObject({ origin: 'custom', description: 'Edited', version: 1 })
  })
})
