import type { Page } from 'playwright-core'
import type { Caller } from '../../support/caller.ts'
import type { JoinedNode, Lodge } from '../../support/stack.ts'

interface Following {
  readonly lodge: Lodge
  readonly admin: Caller
  readonly page: Page
  readonly templateId: string
  readonly node: JoinedNode
  person(): Promise<Caller>
  be(person: Caller): Promise<void>
  follow(to: string, template: string): Promise<void>
  signIn(email: string): Promise<void>
}

/** Follows the links of the mails about limits, by the kind of mail. */
export function limitMails(following: () => Following) {
  const placed = () => {
    const { templateId, node } = following()
    return { templateId, nodeId: node.id, start: false }
  }
  /** Somebody who owns a server of 64 MiB and has the limit `maxMemoryMb`. */
  async function ownerOf(maxMemoryMb: number): Promise<Caller> {
    const { lodge, admin, person } = following()
    const owner = await person()
    await lodge.server({ ownerId: owner.id, ...placed() })
    const params = { id: owner.id }
    await admin.must('PATCH /api/customers/{id}', { params, body: { quota: { maxMemoryMb } } })
    return owner
  }
  const memory = () => following().page.getByRole('row', { name: /^Memory (\d|Over)/ })
  return {
    limit_warning: async () => {
      const { follow, signIn } = following()
      const owner = await ownerOf(70)
      await follow(owner.email, 'limit_warning')
      await signIn(owner.email)
      await memory().waitFor()
    },
    limit_exceeded: async () => {
      const { lodge, admin, be, follow } = following()
      const settings = await admin.must('GET /api/limits/settings')
      await admin.must('PUT /api/limits/settings', { body: { ...settings, onExceed: 'warn' } })
      const owner = await ownerOf(64)
      await lodge.server({ ownerId: owner.id, ...placed() })
      await admin.must('PUT /api/limits/settings', { body: settings })
      await be(owner)
      await follow(owner.email, 'limit_exceeded')
      await memory().waitFor()
    },
  }
}
