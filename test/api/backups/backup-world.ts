import { snapshotOf } from '@lodge/driver-fake/backup-store.ts'
import { expect } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { type RealAgent, startRealAgent } from '../../support/real-agent.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { connected, jobEnd } from '../../support/vm-world.ts'

/** A control plane, and a node with the real agent whose servers have one text as their files. */
export interface BackupWorld extends AsyncDisposable {
  readonly lodge: Lodge
  readonly agent: RealAgent
  readonly admin: Caller
  contents(id: string): string | undefined
  write(id: string, text: string): void
  /** A server whose files are `first`. @returns its id */
  makeServer(owner: Caller, start?: boolean): Promise<string>
  /** @returns the id of the backup, once it is good */
  backUp(owner: Caller, id: string, body?: { name?: string; locked?: boolean }): Promise<string>
  /** Takes a backup's data away from the node. @returns what puts them back */
  damage(backupId: string): () => void
}

export async function backupWorld(): Promise<BackupWorld> {
  const lodge = await startLodge()
  const node = await lodge.joinedNode()
  const agent = await startRealAgent(lodge, node)
  await connected(lodge, node.id)
  const admin = await lodge.admin()
  const { id: templateId } = await lodge.template()
  const { folders } = agent.driver.runtime
  const write = (id: string, text: string) => void folders.set(agent.driver.dataFolder(id), text)
  return {
    ...{ lodge, agent, admin, write },
    contents: (id) => folders.get(agent.driver.dataFolder(id)),
    async makeServer(owner, start = false) {
      const { serverId, jobId } = await admin.must('POST /api/servers', {
        body: { name: 'One', ownerId: owner.id, templateId, nodeId: agent.nodeId, start },
      })
      await jobEnd(admin, jobId, 'done')
      write(serverId, 'first')
      return serverId
    },
    async backUp(owner, id, body = {}) {
      const made = await owner.must('POST /api/servers/{id}/backups', { params: { id }, body })
      await jobEnd(owner, made.jobId, 'done')
      return made.backupId
    },
    damage(backupId) {
      const snapshot = snapshotOf(backupId)
      const undone: (() => void)[] = []
      for (const repository of agent.driver.runtime.repositories.values()) {
        const text = repository.get(snapshot)
        if (text === undefined) continue
        repository.delete(snapshot)
        undone.push(() => repository.set(snapshot, text))
      }
      expect(undone).toHaveLength(1)
      return () => {
        for (const undo of undone) undo()
      }
    },
    async [Symbol.asyncDispose]() {
      await agent[Symbol.asyncDispose]()
      await lodge[Symbol.asyncDispose]()
    },
  }
}
