import { declare } from './declare.ts'
import { jobKindOf } from './job-kind.ts'

/** The machines that servers run on. */
export const nodes = declare({
  permissions: {
    'nodes.view': 'See nodes',
    'nodes.manage': 'Add, change and remove nodes',
  },
  presets: {
    operator: ['nodes.view', 'nodes.manage'],
  },
  problems: {
    node_credential_invalid: { status: 401, title: 'The node credential is not valid' },
    node_not_empty: { status: 409, title: 'The node still has servers' },
    no_capacity: { status: 409, title: 'No node has enough capacity' },
    unsupported_on_node: { status: 409, title: 'The node cannot do this' },
    node_protocol_error: { status: 502, title: 'The node sent an unexpected answer' },
    node_timeout: { status: 504, title: 'The node did not answer in time' },
    node_unavailable: { status: 503, title: 'The node is not connected' },
    agents_current: { status: 409, title: 'There is no agent to update' },
    agent_update_failed: { status: 502, title: 'The agent was not replaced' },
    no_agent_program: { status: 409, title: 'The panel has no agent to hand out' },
    driver_unavailable: { status: 503, title: 'The node cannot reach its container engine' },
  },
  jobKinds: {
    'node.images.free': jobKindOf(false),
    'node.agent.update': jobKindOf(true),
    'nodes.agent.update': { ...jobKindOf(true), long: true },
  },
})
