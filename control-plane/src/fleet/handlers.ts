import type { DesiredNode, FenceProof, Heartbeat, Hello, Report } from '@lodge/proto/fleet.ts'
import type { DesiredServer, ServerObserved, ServerProgress } from '@lodge/proto/server.ts'
import type { Heard } from '@lodge/shared/leases/acknowledgement.ts'

/** An open stream of a node, and the instance that holds it. */
export interface FleetSession {
  readonly id: string
  readonly instanceId: string
  /** The agent's address. */
  readonly address: string
}

/** What a node receives when it is admitted. */
export interface Admission {
  readonly reportThrough: number
  readonly epoch: number
  readonly portRanges: readonly { readonly from: number; readonly to: number }[]
  readonly mode: 'pinned' | 'auto'
  /** It was taken over, and has not proved yet that nothing guarded runs. */
  readonly fenced: boolean
}

/** Two nodes of which one expects a connection of the other. */
export interface DirectWay {
  /** host:port of the one that expects it. */
  readonly address: string
  /** Of its certificate. */
  readonly hostFingerprint: string
  /** Of the certificate of the one that connects. */
  readonly guestFingerprint: string
}

/** The desired states of a node at one moment. */
export interface DesiredRound {
  readonly states: readonly DesiredServer[]
  /** False: some are withheld, so the agent must not stop servers that are not among these. */
  readonly isWhole: boolean
}

/**
 * What the domains do with agents' messages. The fleet handles streams, ordering and rate limits;
 * ownership, what a message may change and the desired state are decided behind this interface. A
 * rejected promise ends that node's session, and the agent resends everything when it reconnects.
 */
export interface FleetHandlers {
  /** The epoch of the node whose current credential this is, which each credential raises. */
  authenticate(nodeId: string, credential: string): Promise<number | undefined>
  /**
   * Makes this the node's only session.
   * @returns the number of the last applied report and the epoch of the node
   */
  connected(nodeId: string, hello: Hello, session: FleetSession): Promise<Admission>
  /** Called once per session, even after a newer one has taken over: compare the id. */
  disconnected(nodeId: string, sessionId: string): Promise<void>
  /** A superseded session is ended. */
  heartbeat(nodeId: string, sessionId: string, beat: Heartbeat): Promise<Heard>
  /** @returns whether the node is accepted again, or was not fenced */
  fenceProof(nodeId: string, sessionId: string, proof: FenceProof): Promise<boolean>
  /** The desired state of the node itself. */
  desiredNode(nodeId: string): Promise<DesiredNode>
  /** How the second node reaches the first without the control plane; undefined if it does not. */
  directWay(firstNodeId: string, secondNodeId: string): Promise<DirectWay | undefined>
  /** All desired states for the node, including `removed` ones. */
  desired(nodeId: string): Promise<DesiredRound>
  /**
   * The desired state of one server; undefined if it has none on this node, `withheld` if it may not
   * be sent now.
   */
  desiredOne(nodeId: string, serverId: string): Promise<DesiredServer | 'withheld' | undefined>
  /** @param complete the node listed everything it has; servers not listed do not exist there */
  observed(nodeId: string, observations: ServerObserved[], complete: boolean): Promise<void>
  progress(nodeId: string, progress: ServerProgress[]): Promise<void>
  /**
   * Reports in order of their numbers, each delivered once per session.
   * @returns the number up to which all are applied, which is acknowledged to the agent
   */
  reports(nodeId: string, reports: Report[]): Promise<number>
}
