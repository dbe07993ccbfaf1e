import type { Hello } from '@lodge/proto/fleet.ts'
import type { AgentMark } from './lineage.ts'

/**
 * How far the control plane had come with an agent, according to the agent's journal; older agents do
 * not report it.
 */
export const markOf = (hello: Hello): AgentMark => ({
  nodeEpoch: hello.nodeEpoch ?? 0,
  acknowledgedReport: hello.acknowledgedReport ?? 0,
})
