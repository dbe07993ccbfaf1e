/** Version of the agent, reported to the control plane and on the metrics page. */
export const AGENT_VERSION = '0.1.0'

export const PROTOCOL_MINOR = 8
