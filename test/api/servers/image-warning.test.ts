import { expect, test } from 'vitest'
import { DOCUMENT, startLodge } from '../../support/stack.ts'

const check = (state: 'ok' | 'warning') => ({
  id: 'registry:docker.io',
  state,
  summary: 'docker.io cannot be reached: getaddrinfo ENOTFOUND',
  remedy: state === 'ok' ? '' : 'Let this node reach docker.io',
})

test('creating a server warns about a registry that its node cannot reach', async () => {
  await using lodge = await startLodge()
  const admin = await lodge.admin()
  const customer = await lodge.customer()
  const near = await lodge.joinedNode({ location: 'Near' })
  const far = await lodge.joinedNode({ location: 'Far' })
  await lodge.standIn(far, { preflight: [check('warning')] })
  const fetched = await lodge.template({ name: 'Fetched' })
  const built = await lodge.template({
    name: 'Built',
    runtime: {
      ...DOCUMENT.runtime,
      images: [{ name: 'Debian', source: { kind: 'debian', suite: 'bookworm', packages: [] } }],
    },
  })
  const make = (templateId: string, location?: string) =>
    admin.must('POST /api/servers', {
      body: {
        name: 'One',
        ownerId: customer.id,
        templateId,
        start: false,
        ...(location && { location }),
      },
    })
  const warned = async () => {
    const { templates } = await customer.must('GET /api/me/servers/options')
    return templates.filter((one) => one.imageWarning !== null).map(({ name }) => name)
  }

  expect((await make(fetched.id)).warnings).toEqual([
    expect.stringMatching(/^node .* cannot reach docker\.io, where the image comes from\./),
  ])
  expect((await make(built.id)).warnings).toEqual([])
  expect(await warned()).toEqual(['Fetched'])
  const items = (await admin.must('GET /api/templates')).items
  expect(items.find(({ id }) => id === fetched.id)?.registries).toEqual(['docker.io'])

  // Another node reaches it.
  await lodge.standIn(near, { preflight: [check('ok')] })
  expect((await make(fetched.id, 'Near')).warnings).toEqual([])
  expect(await warned()).toEqual([])
})
