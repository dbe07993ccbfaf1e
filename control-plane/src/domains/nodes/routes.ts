import { JobAccepted } from '@lodge/shared/jobs.ts'
import {
  CreateNode,
  EditNode,
  Enrollment,
  Node,
  NodeHardware,
  UpdateAgents,
} from '@lodge/shared/nodes.ts'
import { SftpReport } from '@lodge/shared/sftp-nodes.ts'
import { z } from 'zod'
import { pageOf, pageQuery } from '../../db/cursor.ts'
import { flagText } from '../../flag-text.ts'
import { del, get, patch, post, put } from '../../http/endpoint.ts'
import { node } from './access.ts'
import { readAgentLog } from './agent-log.ts'
import { updateAgent, updateAgents } from './agent-update/update.ts'
import { nodeBudgets } from './budgets.ts'
import { describeNode } from './describe.ts'
import { createEnrollment, enroll } from './enrollment.ts'
import { freeImages } from './free-images.ts'
import * as nodes from './nodes.ts'
import { repeatChecks } from './repeat-checks.ts'
import { reportSftp } from './sftp.ts'

export const listNodes = get('/api/nodes', {
  summary: 'List nodes',
  access: { who: 'admin', may: 'nodes.view' },
  query: z.object(pageQuery),
  reply: pageOf(Node),
  handle: ({ ctx, query }) => nodes.pageOfNodes(ctx.db, query),
})

export const createNode = post('/api/nodes', {
  summary: 'Register a node',
  access: { who: 'admin', may: 'nodes.manage' },
  body: CreateNode,
  reply: Node,
  status: 201,
  recorded: 'added the node {target}',
  handle: async ({ ctx, body }) => describeNode(await nodes.createNode(ctx, body)),
})

export const showNode = get('/api/nodes/{id}', {
  summary: 'One node with its checks',
  access: { who: 'user', admin: 'nodes.view', on: node },
  reply: Node,
  handle: async ({ node }) => describeNode(node),
})

export const showNodeHardware = get('/api/nodes/{id}/hardware', {
  summary: 'What the machine of a node consists of, and the versions of its engines',
  access: { who: 'admin', may: 'nodes.view', on: node },
  reply: NodeHardware,
  handle: ({ ctx, node }) => nodes.hardwareOf(ctx, node),
})

export const showAgentLog = get('/api/nodes/{id}/log', {
  summary: "Newest lines of the agent's own log, as JSON",
  access: { who: 'admin', may: 'nodes.view', on: node },
  query: z.object({ lines: z.coerce.number().int().min(1).max(2000).default(500) }),
  reply: z.object({ lines: z.array(z.string()) }),
  handle: ({ ctx, node, query }) => readAgentLog(ctx, node, query.lines),
})

export const editNode = patch('/api/nodes/{id}', {
  summary: 'Edit a node',
  access: { who: 'admin', may: 'nodes.manage', on: node },
  body: EditNode,
  reply: Node,
  recorded: 'changed the node {target}',
  handle: ({ ctx, node, body }) => nodes.editNode(ctx, node, body),
})

export const removeNode = del('/api/nodes/{id}', {
  summary: 'Remove an empty node',
  access: { who: 'admin', may: 'nodes.manage', on: node, stepUp: true },
  query: z.object({
    /** Required if the node stores backups, which are lost with it. */
    confirm: flagText.optional(),
  }),
  // The agent is disconnected only after the commit.
  waits: true,
  recorded: 'removed the node {target}',
  handle: ({ ctx, node, query }) => nodes.removeNode(ctx, node, query.confirm),
})

export const cordonNode = post('/api/nodes/{id}/cordon', {
  summary: 'Place no new servers on a node',
  access: { who: 'admin', may: 'nodes.manage', on: node },
  reply: Node,
  recorded: 'cordoned the node {target}',
  handle: ({ ctx, node }) => nodes.editNode(ctx, node, { cordoned: true }),
})

export const uncordonNode = post('/api/nodes/{id}/uncordon', {
  summary: 'Let a node take new servers again',
  access: { who: 'admin', may: 'nodes.manage', on: node },
  reply: Node,
  recorded: 'uncordoned the node {target}',
  handle: ({ ctx, node }) => nodes.editNode(ctx, node, { cordoned: false }),
})

export const repeatNodeChecks = post('/api/nodes/{id}/checks', {
  summary: 'Let the agent check its machine again, and wait for the result',
  access: { who: 'admin', may: 'nodes.manage', on: node },
  waits: true,
  reply: Node,
  recorded: { words: 'had the node {target} checked again', looks: true },
  handle: ({ ctx, node }) => repeatChecks(ctx, node),
})

export const freeNodeImages = post('/api/nodes/{id}/images/free', {
  summary: 'Remove the images that no server of the node needs',
  access: { who: 'admin', may: 'nodes.manage', on: node },
  reply: JobAccepted,
  status: 202,
  recorded: 'removed unused images of the node {target}',
  handle: ({ ctx, node }) => freeImages(ctx, node),
})

export const updateNodeAgent = post('/api/nodes/{id}/agent-update', {
  summary: 'Replace the agent of a node by the one of this panel; servers keep running',
  access: { who: 'user', admin: 'nodes.manage', on: node },
  reply: JobAccepted,
  status: 202,
  recorded: 'updated the agent of the node {target}',
  handle: ({ ctx, node }) => updateAgent(ctx, node),
})

export const updateAllAgents = post('/api/nodes/agent-update', {
  summary: 'Replace the agents of many nodes: one, then more at once, until one fails',
  access: { who: 'user', admin: 'nodes.manage' },
  body: UpdateAgents,
  reply: JobAccepted.extend({ nodes: z.int() }),
  status: 202,
  recorded: 'updated the agents of nodes',
  handle: ({ ctx, body }) => updateAgents(ctx, body),
})

export const createNodeEnrollment = post('/api/nodes/{id}/enrollment', {
  summary: 'Create a one-time enrollment token',
  access: { who: 'admin', may: 'nodes.manage', on: node },
  reply: Enrollment,
  status: 201,
  shownOnce: true,
  recorded: 'created a join command for the node {target}',
  handle: ({ ctx, node }) => createEnrollment(ctx, node),
})

export const enrollAgent = post('/api/agent/enroll', {
  summary: 'Turn a one-time token into the credential of a node',
  access: { who: 'anyone', throttle: nodeBudgets.enroll },
  body: z.strictObject({
    token: z.string().min(1).max(200),
    agentVersion: z.string().max(50),
    hostname: z.string().max(253).optional(),
  }),
  reply: z.object({
    nodeId: z.uuid(),
    credential: z.string(),
    caCertificate: z.string(),
    fleetAddress: z.string(),
    serverName: z.string(),
  }),
  status: 201,
  handle: ({ ctx, body, http }) =>
    enroll(ctx, {
      ...body,
      address: http.request.address,
      fleetAddress: http.request.headers.host,
    }),
})

export const reportAgentSftp = put('/api/agent/sftp', {
  summary: 'On which port the node serves SFTP itself, and with which host keys',
  access: { who: 'agent' },
  body: SftpReport,
  handle: ({ ctx, body }) => reportSftp(ctx, body),
})
