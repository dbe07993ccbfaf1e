import { type Lodge, PASSWORD } from '../../support/stack.ts'
import { until } from '../../support/until.ts'

/** Content for every page about people: in every state, plans, invitations, tokens; returns a customer's id. */
export async function addPeople(lodge: Lodge): Promise<string> {
  const admin = await lodge.admin()
  const settings = await admin.must('GET /api/settings/signup')
  const { provider, siteKey } = settings.captcha
  const terms = { required: true, termsUrl: 'https://example.com/terms', privacyUrl: null }
  await admin.must('PUT /api/settings/signup', {
    body: { mode: 'approval', captcha: { provider, siteKey }, terms },
  })
  const { id } = await admin.must('POST /api/customers', {
    body: { email: 'ada@example.com', name: 'Ada', password: PASSWORD },
  })
  await admin.must('PATCH /api/customers/{id}', {
    params: { id },
    body: { quota: { maxServers: 10, allowedLocations: ['Here'], mayShare: false } },
  })
  for (const email of ['first@example.com', 'second@example.com'])
    await lodge.anonymous().must('POST /api/auth/register', {
      body: { email, password: PASSWORD, acceptTerms: true },
    })
  const [first] = await until(async () => {
    const { items } = await admin.must('GET /api/signup/pending')
    return items.length === 2 && items
  })
  await admin.must('POST /api/customers/{id}/mark-verified', { params: { id: first?.id ?? '' } })
  const { id: planId } = await admin.must('POST /api/plans', {
    body: {
      name: 'Beginner',
      kind: 'account',
      description: 'One small server, to see how it is',
      limits: { maxServers: 1, maxMemoryMb: 2048, maxDiskMb: 10_240, mayCreateServers: true },
    },
  })
  const archived = await admin.must('POST /api/plans', { body: { name: '2025', kind: 'account' } })
  await admin.must('POST /api/plans/{id}/archive', { params: { id: archived.id } })
  await admin.must('POST /api/signup/invites', {
    body: { note: 'For the fair', maxUses: 50, planId },
  })
  await admin.must('POST /api/team', {
    body: { email: 'support@example.com', permissions: ['servers.view'] },
  })
  await admin.must('POST /api/tokens', { body: { name: 'billing', scopes: ['read'] } })
  return id
}
