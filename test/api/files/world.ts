import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Caller } from '../../support/caller.ts'
import { type RealAgent, startRealAgent } from '../../support/real-agent.ts'
import { type JoinedNode, type Lodge, startLodge } from '../../support/stack.ts'
import { connected, jobEnd } from '../../support/vm-world.ts'

/** A customer with a server on a node with a real agent and simulated containers. */
export interface FileWorld extends AsyncDisposable {
  readonly lodge: Lodge
  readonly admin: Caller
  readonly owner: Caller
  readonly node: JoinedNode
  readonly agent: RealAgent
  readonly serverId: string
  /** The folder of the server on the node. */
  readonly folder: string
  folderOf(serverId: string): string
  /** Another server of the same owner. */
  another(): Promise<string>
}

/** Agents of the tests connect to every instance on this machine. */
export const environment = { LODGE_FLEET_ADDRESS: '127.0.0.1:0' }

/** @param start another Lodge than usual, such as one with its panel */
export async function fileWorld(
  start: (options: { environment: Record<string, string> }) => Promise<Lodge> = startLodge,
): Promise<FileWorld> {
  const lodge = await start({ environment })
  const admin = await lodge.admin()
  const owner = await lodge.customer()
  const template = await lodge.template()
  const node = await lodge.joinedNode()
  const dataRoot = await mkdtemp(path.join(os.tmpdir(), 'lodge-files-'))
  const agent = await startRealAgent(lodge, node, { dataRoot })
  await connected(lodge, node.id)
  const another = async () => {
    const { serverId, jobId } = await admin.must('POST /api/servers', {
      body: { name: 'One', ownerId: owner.id, templateId: template.id, nodeId: node.id },
    })
    await jobEnd(admin, jobId, 'done')
    return serverId
  }
  const folderOf = (id: string) => path.join(dataRoot, id)
  const serverId = await another()
  return {
    lodge,
    admin,
    owner,
    node,
    agent,
    serverId,
    folder: folderOf(serverId),
    folderOf,
    another,
    async [Symbol.asyncDispose]() {
      await agent[Symbol.asyncDispose]()
      await lodge[Symbol.asyncDispose]()
      await rm(dataRoot, { recursive: true, force: true })
    },
  }
}

/** The raw request for a path of a server's files. */
export const at = (serverId: string, rest: string, query: Readonly<Record<string, string>> = {}) =>
  `/api/servers/${serverId}/files${rest}?${new URLSearchParams(query)}`

/** A PUT of a file. */
export const putting = (
  serverId: string,
  path: string,
  payload: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
) => ({
  method: 'PUT' as const,
  url: at(serverId, '/content', { path }),
  payload,
  headers: { 'content-type': 'application/octet-stream', ...headers },
})
