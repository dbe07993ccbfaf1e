import { DEFAULT_CRASH_POLICY } from '@lodge/shared/servers.ts'
import type { TemplateDocumentInput } from '@lodge/shared/templates/document.ts'
import { environment as reachable } from '../../api/files/world.ts'
import type { Caller } from '../../support/caller.ts'
import { type RealAgent, startRealAgent } from '../../support/real-agent.ts'
import { DOCUMENT, type JoinedNode, type Lodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { connected } from '../../support/vm-world.ts'
import { startPanel } from './panel.ts'

const OUTPUT = [
  '[10:00:01] [Server thread/INFO]: Starting server version 1.21',
  '[10:00:02] [Server thread/INFO]: Preparing spawn area: 84%',
  '[10:00:04] [Server thread/WARN]: The chunk at 12, -4 took 131 ms',
  '[10:00:05] [Server thread/INFO]: Done (3.214s)! For help, type "help"',
  '[10:00:09] [Server thread/INFO]: \u001b[32mada\u001b[0m joined the game',
  'ready',
]

/** A server in each of the states that look different; `silent` is on a disconnected node. */
const PARTS = ['running', 'stopped', 'broken', 'suspended', 'silent'] as const
type Part = (typeof PARTS)[number]

const NAMES: Readonly<Record<Part, string>> = {
  running: 'Under the hill',
  stopped: 'Winter archive',
  broken: 'Modded survival',
  suspended: 'Old lobby',
  silent: 'Far away',
}

export interface Stage extends AsyncDisposable {
  readonly lodge: Lodge
  readonly agent: RealAgent
  readonly admin: Caller
  /** Owns every server. */
  readonly customer: Caller
  readonly node: JoinedNode
  readonly templateId: string
  readonly servers: Readonly<Record<Part, string>>
}

/** A complete Lodge with the panel at its own address, nodes, a template and servers in every state. */
export async function openStage(
  environment: Record<string, string | undefined> = {},
): Promise<Stage> {
  const lodge = await startPanel({ ...reachable, ...environment })
  const admin = await lodge.admin()
  const customer = await lodge.customer()
  const settings = await admin.must('GET /api/limits/settings')
  await admin.must('PUT /api/limits/settings', { body: { ...settings, selfService: 'everyone' } })
  await admin.must('PUT /api/limits/defaults', {
    body: { maxServers: 8, maxMemoryMb: 16_384, maxCpuPercent: 1600, maxDiskMb: 204_800 },
  })
  const node = await lodge.joinedNode({ name: 'falkenstein-1', location: 'Falkenstein' })
  const agent = await startRealAgent(lodge, node, {
    output: OUTPUT,
    cpuPercent: 37,
    memoryBytes: 412 * 1_048_576,
  })
  await connected(lodge, node.id)
  const away = await lodge.joinedNode({ name: 'helsinki-1', location: 'Helsinki' })
  const { id: templateId } = await lodge.template(TEMPLATE)
  const made = { lodge, admin, customer, templateId }
  const silent = await startRealAgent(lodge, away)
  await connected(lodge, away.id)
  const servers = {
    running: await serverOn(made, node, 'running'),
    stopped: await serverOn(made, node, 'stopped', false),
    broken: await serverOn(made, node, 'broken'),
    suspended: await serverOn(made, node, 'suspended', false),
    silent: await serverOn(made, away, 'silent'),
  }
  await silent[Symbol.asyncDispose]()
  await crash(made, agent, servers.broken)
  await admin.must('POST /api/servers/{id}/actions', {
    params: { id: servers.suspended },
    body: { action: 'suspend', confirm: true },
  })
  await until(
    async () =>
      (await admin.must('GET /api/servers/{id}', { params: { id: servers.running } })).usage,
  )
  return {
    ...made,
    agent,
    node,
    servers,
    async [Symbol.asyncDispose]() {
      await agent[Symbol.asyncDispose]()
      await lodge[Symbol.asyncDispose]()
    },
  }
}

type Made = Pick<Stage, 'lodge' | 'admin' | 'customer' | 'templateId'>

const statusOf = async ({ admin }: Made, id: string) =>
  (await admin.must('GET /api/servers/{id}', { params: { id } })).status

async function serverOn(made: Made, node: JoinedNode, part: Part, start = true): Promise<string> {
  const { serverId } = await made.admin.must('POST /api/servers', {
    body: {
      name: NAMES[part],
      ownerId: made.customer.id,
      templateId: made.templateId,
      nodeId: node.id,
      memoryMb: 2048,
      cpuPercent: 200,
      diskMb: 10_240,
      start,
    },
  })
  const wanted = start ? 'running' : 'stopped'
  await until(async () => (await statusOf(made, serverId)) === wanted)
  return serverId
}

/** Out of memory, without an automatic restart. */
async function crash(made: Made, agent: RealAgent, id: string): Promise<void> {
  const params = { id }
  await made.admin.must('PUT /api/servers/{id}/crash-policy', {
    params,
    body: { ...DEFAULT_CRASH_POLICY, mode: 'never' },
  })
  await until(() => agent.driver.runtime.servers.get(id)?.workload?.running)
  agent.driver.crash(id, { code: 137, signal: 'SIGKILL', outOfMemory: true })
  await until(async () => (await statusOf(made, id)) === 'crashed')
}

const image = (name: string, reference: string) => ({
  name,
  source: { kind: 'registry' as const, reference },
})

const TEMPLATE: Partial<TemplateDocumentInput> = {
  name: 'Minecraft (Paper)',
  description: 'A fast Minecraft server with plugins',
  connection: ['In Minecraft: Multiplayer, Add Server, address {{server.address}}:{{server.port}}'],
  commands: [
    { command: 'list', description: 'Who is here' },
    { command: 'say <message>', description: 'Say something to everybody' },
    { command: 'whitelist add <player>', description: 'Let a player in' },
  ],
  runtime: {
    ...DOCUMENT.runtime,
    images: [image('Java 21', 'example/java:21'), image('Java 17', 'example/java:17')],
  },
  variables: [
    { name: 'World', env: 'WORLD', description: 'Folder of the world', default: 'world' },
    {
      name: 'Players',
      env: 'PLAYERS',
      description: 'Most that may play at once',
      default: '20',
      rules: [{ rule: 'integer' }, { rule: 'between', min: 1, max: 100 }],
    },
    {
      name: 'Difficulty',
      env: 'DIFFICULTY',
      description: '',
      default: 'normal',
      rules: [{ rule: 'in', values: ['peaceful', 'easy', 'normal', 'hard'] }],
    },
  ],
}
