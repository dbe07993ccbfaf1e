import type { Node } from '@lodge/shared/nodes.ts'
import { createRoute } from '@tanstack/react-router'
import HardDrive from 'lucide-react/icons/hard-drive'
import { liveRows } from '../../live/rows.ts'
import { definePages } from '../../panel/define-pages.ts'
import { page } from '../../panel/page.ts'
import { paths } from '../../paths.ts'
import { chartSearch } from '../../routes/chart-search.ts'
import { inside } from '../../routes/frames.ts'
import { serversSearch } from '../servers/servers-query.ts'
import { names } from './names.ts'
import { nodesSearch } from './nodes-search.ts'

const nodeRows = liveRows<Node>('GET /api/nodes', 'GET /api/nodes/{id}')

const nodes = createRoute({
  getParentRoute: () => inside,
  path: paths.nodes,
  validateSearch: nodesSearch,
  component: page(() => import('./nodes-page.tsx')),
})
const newNode = createRoute({
  getParentRoute: () => inside,
  path: paths.newNode,
  component: page(() => import('./new-node-page.tsx')),
})
const node = createRoute({
  getParentRoute: () => inside,
  path: paths.node,
  component: page(() => import('./node-frame.tsx')),
})
const summary = createRoute({
  getParentRoute: () => node,
  path: '/',
  component: page(() => import('./summary-tab.tsx')),
})
const servers = createRoute({
  getParentRoute: () => node,
  path: 'servers',
  validateSearch: serversSearch,
  component: page(() => import('./servers-tab.tsx')),
})

const metrics = createRoute({
  getParentRoute: () => node,
  path: 'metrics',
  validateSearch: chartSearch,
  component: page(() => import('./metrics-tab.tsx')),
})
const hardware = createRoute({
  getParentRoute: () => node,
  path: 'hardware',
  component: page(() => import('./hardware-tab.tsx')),
})
const checks = createRoute({
  getParentRoute: () => node,
  path: 'checks',
  component: page(() => import('./checks-tab.tsx')),
})
const log = createRoute({
  getParentRoute: () => node,
  path: 'log',
  component: page(() => import('./log-tab.tsx')),
})

const evacuation = createRoute({
  getParentRoute: () => node,
  path: 'evacuation',
  component: page(() => import('./evacuation/evacuation-tab.tsx')),
})

export default definePages({
  routes: {
    inside: [
      nodes,
      newNode,
      node.addChildren([summary, servers, metrics, hardware, checks, log, evacuation]),
    ],
  },
  navigation: () => [
    {
      to: paths.nodes,
      label: names.nodes,
      icon: HardDrive,
      group: 'fleet',
      needs: 'nodes.view',
      shortcut: 'n',
      help: 'nodes',
    },
  ],
  actions: () => [
    { to: paths.newNode, group: 'create', label: names.addNode, needs: 'nodes.manage' },
  ],
  find: () => import('./find/find-nodes.ts'),
  rows: { node: nodeRows },
  patches: {
    node: (client, node: Node) => nodeRows.put(client, node),
    nodeUsage: (client, { nodeId, usage }: { nodeId: string; usage: Node['usage'] }) => {
      nodeRows.change(client, nodeId, (old) => ({ ...old, usage }))
    },
  },
})
