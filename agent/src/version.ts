/** Version of the agent, told to the control plane and on the metrics page. */
export const AGENT_VERSION = '0.1.0'

export const PROTOCOL_MINOR = 1

/** What this agent can do beyond the first protocol; the control plane offers only what is named here. */
export const CAPABILITIES: readonly string[] = [
  'container',
  'container.console',
  'container.install',
  'container.logs',
]

/** The same of an agent that runs virtual machines. */
export const MACHINE_CAPABILITIES: readonly string[] = [
  'machine',
  'machine.consoles',
  'machine.kept-media',
  'machine.media',
  'machine.migration',
  'machine.snapshots',
]
