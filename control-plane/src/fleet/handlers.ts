import type { DesiredNode, Heartbeat, Hello, Report } from '@lodge/proto/fleet.ts'
import type { DesiredServer, ServerObserved, ServerProgress } from '@lodge/proto/server.ts'

/** One open stream of one node, and the control plane that holds it. */
export interface FleetSession {
  readonly id: string
  readonly instanceId: string
  /** Where the agent connects from. */
  readonly address: string
}

/** What a node is told as it is let in. */
export interface Admission {
  readonly reportThrough: number
  readonly epoch: number
  readonly portRanges: readonly { readonly from: number; readonly to: number }[]
}

/**
 * What the domains do with the words of the agents. The fleet knows streams, order and limits; whose
 * server is whose, what a claim may change and what is desired is decided behind this interface.
 * A rejected promise ends the session of that node: it comes back and tells everything again.
 */
export interface FleetHandlers {
  /** Whether the credential is the present one of this node. */
  authenticate(nodeId: string, credential: string): Promise<boolean>
  /**
   * Makes this session the node's only one.
   * @returns the newest report already applied and the epoch of the node
   */
  connected(nodeId: string, hello: Hello, session: FleetSession): Promise<Admission>
  /** Called once for each session, also when a newer one has taken over: compare the id. */
  disconnected(nodeId: string, sessionId: string): Promise<void>
  /** @returns false when the session is no longer the node's own; it is ended then */
  heartbeat(nodeId: string, sessionId: string, beat: Heartbeat): Promise<boolean>
  /** The desired state of the node itself. */
  desiredNode(nodeId: string): Promise<DesiredNode>
  /** Everything desired for the node, `removed` ones included. */
  desired(nodeId: string): Promise<DesiredServer[]>
  /** The desired state for one server, or undefined when it has none on this node. */
  desiredOne(nodeId: string, serverId: string): Promise<DesiredServer | undefined>
  /** @param complete the node named everything it has; what is missing is not there */
  observed(nodeId: string, observations: ServerObserved[], complete: boolean): Promise<void>
  progress(nodeId: string, progress: ServerProgress[]): Promise<void>
  /**
   * Reports in the order of their numbers, each one handed over once per session.
   * @returns the number up to which all are applied; it is acknowledged to the agent
   */
  reports(nodeId: string, reports: Report[]): Promise<number>
}
