import type { Page } from 'playwright-core'
import { contextFor } from '../../../control-plane/src/context.ts'
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
}

/** Follows the links of the mails about events of a server, by the kind of mail. */
export function serverMails(following: () => Following) {
  /** A customer, whom the browser shows, with a server. */
  async function ownerOfOne(): Promise<{ owner: Caller; id: string }> {
    const { lodge, person, be, templateId, node } = following()
    const owner = await person()
    const placed = { ownerId: owner.id, templateId, nodeId: node.id, start: false }
    const id = await lodge.server({ name: 'Over the hill', ...placed })
    await be(owner)
    return { owner, id }
  }
  const opensServer = async (to: string, template: string) => {
    const { page, follow } = following()
    await follow(to, template)
    await page.getByRole('heading', { level: 1, name: 'Over the hill', exact: true }).waitFor()
  }
  return {
    server_ready: async () => {
      const { owner } = await ownerOfOne()
      await opensServer(owner.email, 'server_ready')
    },
    server_gave_up: async () => {
      const { owner, id } = await ownerOfOne()
      const { lodge, node } = following()
      await (await lodge.standIn(node)).happened(id, { kind: 'gave_up' })
      await opensServer(owner.email, 'server_gave_up')
    },
    server_suspended: async () => {
      const { owner, id } = await ownerOfOne()
      await following().admin.must('POST /api/servers/{id}/actions', {
        params: { id },
        body: { action: 'suspend' },
      })
      await opensServer(owner.email, 'server_suspended')
    },
    server_deletion_scheduled: async () => {
      const { owner, id } = await ownerOfOne()
      await owner.must('DELETE /api/me/servers/{id}', { params: { id } })
      await opensServer(owner.email, 'server_deletion_scheduled')
    },
    backup_failed: async () => {
      const { owner, id } = await ownerOfOne()
      const { lodge, page } = following()
      const ctx = contextFor(lodge.controlPlane.services, { kind: 'system' } as const)
      await ctx.transaction((ctx) =>
        ctx.emit('backup.failed', {
          ...{ serverId: id, serverName: 'Over the hill', backupId: id, backupName: 'Nightly' },
          people: [{ userId: owner.id, email: owner.email }],
          ...{ scheduled: true, cancelled: false, reason: 'There is no room left to write to.' },
        }),
      )
      await opensServer(owner.email, 'backup_failed')
      await page.waitForURL(`**/servers/${id}/backups`)
    },
  }
}
